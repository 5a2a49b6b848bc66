import type { ServerResponse } from 'node:http'
import type { ReceivedRequest, ScriptedHttpServer } from '../scripted-http-server.js'

/** A request that the test answers when it wants. */
export interface HeldAnswer {
  /** Resolves when the request has arrived. */
  readonly called: Promise<ReceivedRequest>
  /** Answers the request as soon as it has arrived. */
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
