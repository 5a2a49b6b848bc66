import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EffectEntry } from '../records/external-records.js'
import { effectOf } from '../records/judge-calls.js'

/** Long enough that faults hit running tools. */
const slowestMilliseconds = 400

/** Records each tool request when it arrives, before it answers. */
export class ToolEndpoint {
  readonly effects: EffectEntry[] = []

  async serve(body: string, response: ServerResponse): Promise<void> {
    this.effects.push({ effect: effectOf({ arguments: body }), at: Date.now() })
    await sleep(Math.random() * slowestMilliseconds)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  }
}
