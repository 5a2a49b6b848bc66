import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { App } from '../services.js'

/** What pages load from here. The addresses stay as they are, since they stand in other people's pages. */
const names = ['parley-agent.js', 'realtime.js', 'audio.worklet.js']

/** They carry nothing of anybody's: every page may load them. A copy is asked about before it is used again. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
  vary: 'accept-encoding',
} as const

interface SdkFile {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly hash: string
}

/** The files of the SDK for pages without a bundler, as the build made them. */
export function registerSdkFileRoutes(app: App): void {
  for (const name of names) {
    let file: SdkFile | undefined
    app.get(`/sdk/v1/${name}`, async (request, reply) => {
      file ??= await readSdkFile(name)
      const isGzipped = takesGzip(request)
      const etag = isGzipped ? `"${file.hash}-gzip"` : `"${file.hash}"`
      reply.headers({ ...headers, etag }).type('text/javascript; charset=utf-8')
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      if (!isGzipped) return reply.send(file.plain)
      return reply.header('content-encoding', 'gzip').send(file.gzipped)
    })
  }
}

async function readSdkFile(name: string): Promise<SdkFile> {
  try {
    const plain = await readFile(new URL(import.meta.resolve(`@parley/sdk/browser/${name}`)))
    const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
    return { plain, gzipped: await promisify(gzip)(plain, { level: 9 }), hash }
  } catch (cause) {
    throw new DomainError('NotFound', 'The SDK was not built with this service: run npm run build.', {
      cause,
    })
  }
}

const takesGzip = ({ headers: { 'accept-encoding': accepted } }: FastifyRequest) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(accepted))
