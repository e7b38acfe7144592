// Shows what is pushed while no page is open. It keeps nothing and answers no requests.

/** An address of this house, whatever was sent. */
function home(path) {
  const url = new URL(path ?? "/", self.location.origin);
  return url.origin === self.location.origin ? url.href : `${self.location.origin}/`;
}

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    // A browser wants something to be shown for each push.
  }
  const { title = "Something happened at Maproom.", body = "", tag = "all", url } = said;
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, data: home(url) }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
      const there = windows.find((one) => one.url.split("#")[0] === url);
      return there ? there.focus() : self.clients.openWindow(url);
    }),
  );
});
