import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { type BuiltFile, makeBuiltFile } from './built-file.js'

/** The console as the build made it: one page, and the files that it loads. */
export interface ConsoleBuild {
  readonly page: string
  readonly files: ReadonlyMap<string, BuiltFile>
}

/** Null where the service came without one. */
export async function readConsoleBuild(): Promise<ConsoleBuild | null> {
  try {
    const folder = new URL('./', import.meta.resolve('@parley/console/dist/index.html'))
    const page = await readFile(new URL('index.html', folder), 'utf8')
    const names = await readdir(new URL('assets/', folder))
    const files = names.map(async (name): Promise<[string, BuiltFile]> => {
      const plain = await readFile(new URL(`assets/${encodeURIComponent(name)}`, folder))
      return [name, await makeBuiltFile(name, plain)]
    })
    return { page, files: new Map(await Promise.all(files)) }
  } catch {
    return null
  }
}

/** The page loads from its own service alone; the styles that it makes itself carry the word of this one answer. */
export function sendConsolePage(reply: FastifyReply, { page }: ConsoleBuild): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({ 'content-security-policy': policyWith(nonce), 'permissions-policy': 'microphone=(self)' })
  return reply.type('text/html; charset=utf-8').send(page.replaceAll('__NONCE__', nonce))
}

function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}
