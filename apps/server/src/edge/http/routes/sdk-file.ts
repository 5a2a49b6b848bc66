import { readFile } from 'node:fs/promises'
import { DomainError } from '../../../domain/domain-error.js'
import { type BuiltFile, makeBuiltFile, sendBuiltFile } from '../answer/built-file.js'
import type { App } from '../services.js'

/** What pages load from here. The addresses stay as they are, since they stand in other people's pages. */
const names = ['parley-agent.js', 'realtime.js', 'audio.worklet.js']

/** They carry nothing of anybody's: every page may load them. A copy is asked about before it is used again. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
} as const

/** The files of the SDK for pages without a bundler, as the build made them. */
export function registerSdkFileRoutes(app: App): void {
  for (const name of names) {
    let file: BuiltFile | undefined
    app.get(`/sdk/v1/${name}`, async (request, reply) => {
      file ??= await readSdkFile(name)
      return sendBuiltFile(request, reply.headers(headers), file)
    })
  }
}

async function readSdkFile(name: string): Promise<BuiltFile> {
  try {
    const plain = await readFile(new URL(import.meta.resolve(`@parley/sdk/browser/${name}`)))
    return await makeBuiltFile(name, plain)
  } catch (cause) {
    throw new DomainError('NotFound', 'The SDK was not built with this service: run npm run build.', {
      cause,
    })
  }
}
