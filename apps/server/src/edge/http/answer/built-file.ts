import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A built file, in the encodings in which it is sent. */
export interface BuiltFile {
  readonly plain: Buffer
  /** Null if the file is compressed already. */
  readonly gzipped: Buffer | null
  readonly hash: string
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
  wav: 'audio/wav',
}

export async function makeBuiltFile(name: string, plain: Buffer): Promise<BuiltFile> {
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  const gzipped = type === types.tgz ? null : await promisify(gzip)(plain, { level: 9 })
  return { plain, gzipped, hash, type }
}

/** Sends the file, or 304 if the client already has it. */
export function sendBuiltFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const gzipped = takesGzip(request) ? file.gzipped : null
  const etag = gzipped ? `"${file.hash}-gzip"` : `"${file.hash}"`
  reply.headers({ etag, vary: 'accept-encoding' }).type(file.type)
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (gzipped === null) return reply.send(file.plain)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}

/** Whether the client accepts compressed answers. */
export const takesGzip = ({ headers: { 'accept-encoding': accepted } }: FastifyRequest) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(accepted))
