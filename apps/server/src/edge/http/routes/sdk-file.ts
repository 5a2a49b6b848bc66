import { readFile } from 'node:fs/promises'
import { DomainError } from '../../../domain/domain-error.js'
import { type BuiltFile, makeBuiltFile, sendBuiltFile } from '../answer/built-file.js'
import type { App } from '../services.js'

/** The files that other pages load from here. Their URLs must not change. */
const names = ['parley-agent.js', 'realtime.js', 'audio.worklet.js']

/** The files are public, so every page may load them. Browsers must revalidate their copy. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
} as const

/** Registers the files of the SDK for pages without a bundler. */
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
    throw new DomainError('NotFound', 'The SDK is not built. Run npm run build.', {
      cause,
    })
  }
}
