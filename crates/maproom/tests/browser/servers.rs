//! Two windows on two servers, one match, and one of the servers is killed.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::thread;

use testkit::postgres;

use crate::driver::{Page, Size};
use crate::server::Process;
use crate::table::{choose_first, choose_some, ready, revision, shown, wait_revision};

/// What a proxy in front of several servers does: each connection goes to the first server that is there.
struct Door(u16);

impl Door {
    fn to(ports: [u16; 2]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = listener.local_addr().expect("an address").port();
        thread::spawn(move || {
            for visitor in listener.incoming().map_while(Result::ok) {
                let server = ports.iter().find_map(|port| TcpStream::connect(("127.0.0.1", *port)).ok());
                let Some(server) = server else { continue };
                let ways = [(&visitor, &server), (&server, &visitor)];
                for (from, to) in ways.map(|(a, b)| (a.try_clone(), b.try_clone())) {
                    let (mut from, mut to) = (from.expect("a handle"), to.expect("a handle"));
                    thread::spawn(move || {
                        let _ = io::copy(&mut from, &mut to);
                        let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
                    });
                }
            }
        });
        Self(own)
    }

    fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.0)
    }
}

fn serve(database: &str) -> Process {
    let mut command = Command::new(crate::PROGRAM);
    command.args(["serve", "--no-browser", "--port", "0", "--database", database]);
    Process::start(command).unwrap_or_else(|why| panic!("{why}"))
}

fn port(server: &Process) -> u16 {
    let url = server.url().trim_end_matches('/');
    url.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("an address has a port")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_windows_on_two_servers_outlive_one_of_them() {
    let Some(postgres) = postgres::shared() else { return };
    let database = postgres.address(&postgres.empty());
    let (mut first, second) = (serve(&database), serve(&database));
    let doors = [Door::to([port(&first), port(&second)]), Door::to([port(&second), port(&first)])];

    let here = Page::open_at(Size::DESKTOP, &doors[0].at("/")).await;
    here.click(".go").await;
    ready(&here).await;
    let path = here.eval("location.pathname").await.as_str().expect("a path").to_owned();
    let there = Page::open_at(Size::DESKTOP, &doors[1].at(&path)).await;
    ready(&there).await;

    // Each sees what the other does, at the other server.
    for (from, to) in [(&here, &there), (&there, &here), (&here, &there)] {
        choose_first(from).await;
        wait_revision(to, revision(from).await).await;
        shown(to).await.assert_same(&shown(from).await, "at the other server");
    }

    first.kill();
    // At the server that is left it goes on at once.
    choose_first(&there).await;
    // The window whose server is gone comes back by itself, at the other, and nothing is missing.
    wait_revision(&here, revision(&there).await).await;
    ready(&here).await;
    shown(&here).await.assert_same(&shown(&there).await, "after its server was killed");
    here.shot("servers-one-left").await;
    choose_some(&here, 2).await;
    wait_revision(&there, revision(&here).await).await;
    shown(&there).await.assert_same(&shown(&here).await, "both at the same server now");
    let steps: u64 = postgres
        .ask(database.rsplit('/').next().expect("a name"), "SELECT max(revision) FROM progress")
        .parse()
        .expect("a number");
    assert_eq!(steps, revision(&here).await);
    there.assert_quiet().await;
}
