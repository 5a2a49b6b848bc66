import type { ServerResponse } from 'node:http'

/** The parts of a chat request that the attacks use. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly unknown[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** Streams a response in the format of OpenAI chat completions, as fast as the client reads it. */
export async function streamChat(
  response: ServerResponse,
  deltas: Iterable<object>,
  finishReason: 'stop' | 'tool_calls' = 'stop',
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltas) {
    if (response.destroyed) return
    if (!response.write(chunk(delta, null))) await drained(response)
  }
  response.end(`${chunk({}, finishReason)}data: [DONE]\n\n`)
}

export function sayShortly(response: ServerResponse): void {
  void streamChat(response, [{ content: 'Yes.' }])
}

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ id: 'chat', object: 'chat.completion.chunk', choices })}\n\n`
}

/** Waits until the response can take more data, or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      response.off('drain', stop).off('close', stop)
      resolve()
    }
    response.on('drain', stop).on('close', stop)
  })
}
