//! Maproom with one more game: `cargo run -p salient -- play salient`, or `serve`, `engine`, `sim salient`, `ladder salient`.

fn main() -> std::process::ExitCode {
    maproom::main_with([maproom::GameEntry::plain::<salient::Salient>()])
}
