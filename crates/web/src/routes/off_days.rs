//! Days off in the forms for matches, tables and tournaments: boxes for the days and a zone become words of the clock.

/// The days off of a form.
#[derive(Default)]
pub(super) struct OffDaysForm {
    days: Vec<String>,
    zone: String,
}

impl OffDaysForm {
    /// Takes a field: `off` for each day, and `zone`.
    pub(super) fn take(&mut self, key: &str, value: String) {
        match key {
            "off" => self.days.push(value),
            _ => self.zone = value,
        }
    }

    /// A clock with these days off; without a clock there is none to stand still.
    pub(super) fn with(&self, clock: String) -> String {
        if clock.is_empty() || self.days.is_empty() {
            return clock;
        }
        let zone = match self.zone.trim() {
            "" => "UTC",
            zone => zone,
        };
        format!("{clock} off={} zone={zone}", self.days.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_off_become_words_of_the_clock() {
        let mut form = OffDaysForm::default();
        assert_eq!(form.with("daily".to_owned()), "daily");
        for (key, value) in [("off", "sat"), ("off", "sun"), ("zone", " Europe/Berlin ")] {
            form.take(key, value.to_owned());
        }
        let clock = form.with("daily flag=loss".to_owned());
        assert_eq!(clock, "daily flag=loss off=sat,sun zone=Europe/Berlin");
        assert!(clock.parse::<clocks::Rules>().is_ok());
        assert_eq!(form.with(String::new()), "", "nothing to stand still");
        form.take("zone", String::new());
        assert!(form.with("easy".to_owned()).ends_with("zone=UTC"));
    }
}
