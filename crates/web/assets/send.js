// Requests that change something.

/** Sends JSON (or text) and returns the answer as {ok, status, data}; never throws. */
export async function send(path, body) {
  const asText = typeof body === "string";
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": asText ? "text/plain; charset=utf-8" : "application/json" },
      body: asText ? body : JSON.stringify(body ?? {}),
    });
    const text = await answer.text();
    let data = {};
    try {
      data = text ? JSON.parse(text) : {};
    } catch {
      data = { error: text };
    }
    return { ok: answer.ok, status: answer.status, data };
  } catch {
    return { ok: false, status: 0, data: { error: "Maproom is not answering. Is it still running?" } };
  }
}
