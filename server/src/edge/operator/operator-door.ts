import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { DomainError } from '../../domain/domain-error.js'
import type { OperatorWorld } from '../../domain/operator/operator-act.js'
import { operatorActs } from '../../domain/operator/operator-acts.js'
import type { Log } from '../../ports/log.js'

/*
 * How the `parley` command reaches a running service whose database nobody else can open: HTTP on a socket in the data
 * directory, which its owner alone can connect to. Who can, has the database's files too, so no key is asked for.
 *
 *   POST /act { act, operator, input }  ──►  200 { ok: true, result } | { ok: false, code, detail }
 */

const maxBodyBytes = 1024 * 1024

const Command = z.strictObject({
  act: z.string(),
  operator: z.strictObject({ name: z.string().max(200).nullable() }),
  input: z.unknown(),
})

export interface OperatorDoorOptions {
  readonly world: OperatorWorld
  readonly log: Log
}

export function makeOperatorDoor({ world, log }: OperatorDoorOptions): Server {
  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'an act of the operator failed')
      reply(response, { ok: false, code: 'InternalError', detail: 'The service failed; its log says why.' })
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/act')
      return reply(response, unknownAct(`${request.method} ${request.url}`))
    const { act: name, operator, input } = Command.parse(JSON.parse(await readBody(request)))
    const act = operatorActs.get(name)
    if (act === undefined) return reply(response, unknownAct(name))
    log.info({ act: name, operator: operator.name }, 'an act of the operator')
    try {
      reply(response, { ok: true, result: await act.perform(world, operator, input) })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      reply(response, { ok: false, code: error.code, detail: error.detail })
    }
  }
}

const unknownAct = (name: string) => ({
  ok: false,
  code: 'NotFound',
  detail: `The running service does not know ${name}: it is of another version than this command. Restart it.`,
})

function reply(response: ServerResponse, body: object): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > maxBodyBytes) throw new Error('The command is too large.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
