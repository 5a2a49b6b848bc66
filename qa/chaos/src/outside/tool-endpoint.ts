import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { effectOf } from '../books/judge-calls.js'
import type { EffectEntry } from '../books/outside-books.js'

/** So that faults meet tools at work. */
const slowestMilliseconds = 400

/** Takes the requests of tools and writes each down as it arrives, before it is answered. */
export class ToolEndpoint {
  readonly effects: EffectEntry[] = []

  async serve(body: string, response: ServerResponse): Promise<void> {
    this.effects.push({ effect: effectOf({ arguments: body }), at: Date.now() })
    await sleep(Math.random() * slowestMilliseconds)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  }
}
