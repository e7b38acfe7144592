//! A server that was killed may have lost the end of its stream and not how far it had given that out: what is put in next has
//! numbers that count as given out.

use super::*;

/// Lets the server lose what was put into its stream since that was kept.
fn lose_the_end(server: &mut Server) {
    server.kill();
    server.put_back("WORK");
    server.restart();
}

/// Some work, after which the stream is kept, and then more.
fn have_worked(server: &mut Server) {
    let crew = [(worker(server, "a", 1), Squares::default())];
    run(server, TERMS, 3, &crew);
    server.kill();
    server.keep("WORK");
    server.restart();
    run(server, TERMS, 300, &crew);
}

#[test]
fn what_is_put_in_after_the_end_was_lost_is_given_out() {
    let Some(mut server) = Server::start() else { return };
    have_worked(&mut server);
    lose_the_end(&mut server);
    let (job, _, ledger, _) = run(&server, TERMS, 30, &[(worker(&server, "b", 1), Squares::default())]);
    check_all(&job, &*ledger, 0);
}

/// The same, while the consumer waits for acknowledgements of errands that are lost, from workers that are gone.
#[test]
fn it_is_given_out_also_while_lost_errands_count_as_begun() {
    let Some(mut server) = Server::start() else { return };
    have_worked(&mut server);
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 90);
    let (stop, stop_second, ear) = (AtomicBool::new(false), AtomicBool::new(false), Ear::default());
    let slow = Squares { pause: Duration::from_secs(3_600), ..Squares::default() };
    let terms = Terms { lease: Duration::from_secs(2), ..TERMS };
    let (target, first, second) = (target(&server), worker(&server, "a", 2), worker(&server, "b", 1));
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop, &stop_second, &ear.stop]);
        let desk = scope.spawn(|| desk(&target, terms, &ledger, &job, &ear));
        let slow_one = scope.spawn(|| first.run(&slow, &stop, &Ear::default()));
        wait("both have begun", || slow.busy.load(Ordering::SeqCst) == 2);
        server.kill();
        // It can't give back what it has.
        stop.store(true, Ordering::Relaxed);
        slow_one.join().unwrap().expect("a worker");
        server.put_back("WORK");
        server.restart();
        scope.spawn(|| second.run(&Squares::default(), &stop_second, &Ear::default()).expect("a worker"));
        desk.join().unwrap().expect("a desk");
    });
    check_all(&ledger.job(&job.job.id).unwrap().unwrap(), &*ledger, 0);
}
