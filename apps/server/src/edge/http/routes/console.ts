import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import { type BuiltFile, makeBuiltFile, sendBuiltFile } from '../answer/built-file.js'
import type { App } from '../services.js'

/** Reads the console's build once, on first use. */
export type FindConsole = () => Promise<ConsoleBuild | null>

export function makeFindConsole(): FindConsole {
  let reading: Promise<ConsoleBuild | null> | undefined
  return () => {
    reading ??= readConsoleBuild()
    return reading
  }
}

/**
 * Registers the files of the console. Their names contain a hash of their content, so browsers may cache them
 * permanently.
 */
export function registerConsoleRoutes(app: App, findConsole: FindConsole): void {
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const file = (await findConsole())?.files.get(request.params.name)
    if (file === undefined)
      throw new DomainError(
        'NotFound',
        'Console file not found. Reload the page, because the console may have been updated.',
      )
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendBuiltFile(request, reply, file)
  })
}

/** The build of the console: one page and the files that it loads. */
export interface ConsoleBuild {
  readonly page: string
  readonly files: ReadonlyMap<string, BuiltFile>
}

/** Returns null if the console is not installed. */
async function readConsoleBuild(): Promise<ConsoleBuild | null> {
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

/**
 * Sends the page. It may only load from its own service. A nonce in this response allows the styles that it
 * creates.
 */
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

/**
 * Returns the URL of a console page with the query of a browser. The query is encoded as one string with a
 * prefix, because the router of the console would parse a value such as `1e5` as a number.
 */
export function consoleAddress(publicUrl: string, page: string, query: string): string {
  return `${publicUrl}/#/${page}?with=q.${Buffer.from(query).toString('base64url')}`
}
