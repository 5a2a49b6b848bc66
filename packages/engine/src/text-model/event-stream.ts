/** Yields the data of each server-sent event. */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = dataOf(line)
      if (data !== null) yield data
    }
  }
  const last = dataOf(rest)
  if (last !== null) yield last
}

function dataOf(line: string): string | null {
  return line.startsWith('data:') ? line.slice('data:'.length).trim() : null
}
