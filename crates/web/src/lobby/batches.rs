//! Batches of games that the owner has played.

use std::sync::Arc;

use lab::Site;
use store::Ledger;

use super::{Lobby, LobbyError};
use crate::laboratory::{Crew, Laboratory};

impl Lobby {
    /// Lets the owner have batches of games played; `opening` makes the place of work when it is first needed.
    #[must_use]
    pub fn with_laboratory(
        mut self,
        opening: impl Fn() -> Result<Site, String> + Send + Sync + 'static,
    ) -> Self {
        let is_shared = self.sharing.is_some();
        self.laboratory = Some(Arc::new(Laboratory::new(Arc::clone(&self.store), opening, is_shared)));
        self
    }

    /// Lets workers play batches of the laboratory beside this house, through the ledger in which they are written down.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>, ledger: Arc<dyn Ledger>) -> Self {
        if let Some(laboratory) = &self.laboratory {
            laboratory.set_crew(crew, ledger);
        }
        self
    }

    /// Where the owner has batches of games played.
    pub fn laboratory(&self) -> Option<&Arc<Laboratory>> {
        self.laboratory.as_ref()
    }

    /// Does something in the laboratory on a thread that may block.
    pub(crate) async fn in_laboratory<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Laboratory) -> Result<T, LobbyError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let laboratory = Arc::clone(self.laboratory().ok_or(LobbyError::NotFound)?);
        let done = tokio::task::spawn_blocking(move || work(&laboratory)).await;
        done.map_err(|_| LobbyError::Fault("The work in the laboratory was interrupted"))?
    }
}
