import type { ServerResponse } from 'node:http'
import type { ReceivedRequest, ScriptedHttpServer } from '../scripted-http-server.js'

/** A request whose answer the test gives when it likes. */
export interface HeldAnswer {
  /** Resolves when the request has come. */
  readonly called: Promise<ReceivedRequest>
  /** Answers it, as soon as it has come. */
  give(body: string): Promise<void>
}

export function holdAnswer(tools: ScriptedHttpServer, call: string): HeldAnswer {
  let held: ServerResponse | undefined
  const called = tools.expect(call, (response) => {
    held = response
  })
  return {
    called,
    async give(body) {
      await called
      held?.writeHead(200, { 'content-type': 'text/plain' }).end(body)
    },
  }
}
