import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { DomainError } from '../../domain/domain-error.js'
import { takeBackup } from '../../domain/operator/backup.js'
import type { OperatorWorld } from '../../domain/operator/operator-act.js'
import { operatorActs } from '../../domain/operator/operator-acts.js'
import type { BackupArchive } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'

/*
 * The connection of the `parley` command to a running service. No other process can open the service's embedded
 * database. It uses HTTP on a socket in the data directory, to which only the owner of the directory can connect. The
 * owner can read the files of the database too, so no key is required.
 *
 *   POST /act { act, operator, input }  ──►  200 { ok: true, result } | { ok: false, code, detail }
 *   POST /backup { operator }           ──►  200 application/octet-stream, or JSON as above if it is refused
 */

const maxBodyBytes = 1024 * 1024

const OperatorName = z.strictObject({ name: z.string().max(200).nullable() })
const Command = z.strictObject({ act: z.string(), operator: OperatorName, input: z.unknown() })
const BackupCommand = z.strictObject({ operator: OperatorName })

export interface OperatorDoorOptions {
  readonly world: OperatorWorld
  readonly log: Log
  /** Returns the bytes of a backup file. */
  readonly packBackup: (backup: BackupArchive) => Readable
}

export function makeOperatorDoor({ world, log, packBackup }: OperatorDoorOptions): Server {
  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'operator command failed')
      reply(response, {
        ok: false,
        code: 'InternalError',
        detail: 'The command failed. See the log of the service.',
      })
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = `${request.method} ${request.url}`
    if (path === 'POST /backup') return sendBackup(request, response)
    if (path !== 'POST /act') return reply(response, unknownAct(path))
    const { act: name, operator, input } = Command.parse(JSON.parse(await readBody(request)))
    const act = operatorActs.get(name)
    if (act === undefined) return reply(response, unknownAct(name))
    log.info({ act: name, operator: operator.name }, 'operator command')
    await replyUnlessRefused(response, async () =>
      reply(response, { ok: true, result: await act.perform(world, operator, input) }),
    )
  }

  async function sendBackup(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { operator } = BackupCommand.parse(JSON.parse(await readBody(request)))
    log.info({ act: 'backup', operator: operator.name }, 'operator command')
    await replyUnlessRefused(response, async () => {
      const backup = await takeBackup(world, operator)
      response.writeHead(200, { 'content-type': 'application/octet-stream', connection: 'close' })
      await pipeline(packBackup(backup), response)
    })
  }
}

async function replyUnlessRefused(response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    reply(response, { ok: false, code: error.code, detail: error.detail })
  }
}

const unknownAct = (name: string) => ({
  ok: false,
  code: 'NotFound',
  detail: `The running service does not know ${name} because it has another version than this command. Restart the service.`,
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
