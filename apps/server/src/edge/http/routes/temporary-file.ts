import { Readable } from 'node:stream'
import { operations } from '@parley/contract'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { FileRecord } from '../../../ports/conversation-stores.js'
import { etagOf } from '../answer/send-answer.js'
import { type HttpCall, makeRouter, type Router } from '../operation-route.js'
import { cutOff, readMultipartFile, registerMultipartBody } from '../request/multipart-file.js'
import type { App, Services } from '../services.js'

const retryAfterSeconds = 5

export async function registerTemporaryFileRoutes(
  app: App,
  { read, respond, write }: Router,
  services: Services,
): Promise<void> {
  const { files } = services
  // The route is registered in its own scope, because only this route accepts forms, and it accepts nothing
  // else.
  await app.register(async (forms) => {
    registerMultipartBody(forms)
    makeRouter(forms, services).respond(operations.createTemporaryFile, async (_call, { caller }, http) => {
      const file = await receive(services, caller, http)
      const { status } = operations.createTemporaryFile
      return http.reply.code(status).header('etag', etagOf(file.version)).send(file)
    })
  })
  read(operations.listTemporaryFiles, ({ query }, scope) => files.list(scope, query))
  read(operations.getTemporaryFile, ({ params }, scope) => files.read(scope, params.fileId))
  respond(operations.getTemporaryFileContent, async ({ params }, scope, { reply }) => {
    const { record, content } = await files.open(scope, params.fileId)
    const headers = {
      'content-disposition': attachment(record.name),
      'content-length': String(record.sizeBytes),
    }
    return reply
      .headers(headers)
      .type(record.contentType)
      .send(Readable.from(content, { objectMode: false }))
  })
  write(operations.deleteTemporaryFile, ({ params, ifMatch }, scope) =>
    files.remove(scope, { id: params.fileId, ifMatch }),
  )
}

async function receive(
  { files }: Services,
  caller: Caller,
  { request, reply }: HttpCall,
): Promise<FileRecord> {
  const disconnect = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnect.abort(cutOff())
  })
  try {
    const file = await readMultipartFile(request.raw, files.maxFileBytes)
    return await files.upload(caller, { ...file, signal: disconnect.signal })
  } catch (error) {
    if (error instanceof DomainError && error.code === 'Unavailable')
      reply.header('retry-after', String(retryAfterSeconds))
    throw error
  }
}

/**
 * Returns the header that makes a browser save the file. It has an ASCII name for old browsers and the full
 * name for others.
 */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === fileName) return `attachment; filename="${plain}"`
  const full = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
