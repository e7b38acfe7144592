// Requests to the match: those that change something, and those about the position that is shown.

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

/**
 * Asks about the position that the page shows. Null if there is no answer, or the match has moved on: then it is of no use. With
 * `refusals` an answer that says why not counts as well.
 */
export async function ask(desk, path, params = {}, { refusals = false } = {}) {
  const { revision } = desk;
  const query = new URLSearchParams({ ...params, revision });
  const answer = await fetch(`${desk.path}/${path}?${query}`).catch(() => null);
  const counts = answer && (answer.ok || (refusals && answer.status === 422)) && answer.status !== 204;
  return counts && desk.revision === revision ? answer : null;
}

/** The words of an answer or of a refusal as {ok, text}; null where there is none. */
export async function say(asked) {
  const answer = await asked;
  if (!answer) return null;
  const text = await answer.text();
  if (answer.ok) return { ok: true, text };
  try {
    return { ok: false, text: JSON.parse(text).error };
  } catch {
    return { ok: false, text };
  }
}
