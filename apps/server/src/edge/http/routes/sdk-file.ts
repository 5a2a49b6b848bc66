import { readFile } from 'node:fs/promises'
import { DomainError } from '../../../domain/domain-error.js'
import { type BuiltFile, makeBuiltFile, sendBuiltFile } from '../answer/built-file.js'
import type { App } from '../services.js'

/**
 * The files that other pages and npm load from here, together with the package's manifest. Their URLs must
 * not change.
 */
const files = {
  '/sdk/v1/parley-agent.js': 'dist/browser/parley-agent.js',
  '/sdk/v1/realtime.js': 'dist/browser/realtime.js',
  '/sdk/v1/audio.worklet.js': 'dist/browser/audio.worklet.js',
  '/sdk/parley-sdk.tgz': 'dist/parley-sdk.tgz',
}

/** The files are public, so that every page may load them. Browsers must revalidate their copy. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
} as const

/** Registers the files of the SDK for pages without a bundler, and its package for npm. */
export function registerSdkFileRoutes(app: App): void {
  for (const [address, path] of Object.entries(files)) {
    let file: BuiltFile | undefined
    app.get(address, async (request, reply) => {
      file ??= await readSdkFile(path)
      return sendBuiltFile(request, reply.headers(headers), file)
    })
  }
}

async function readSdkFile(path: string): Promise<BuiltFile> {
  try {
    const plain = await readFile(new URL(path, import.meta.resolve('@parley/sdk/package.json')))
    return await makeBuiltFile(path, plain)
  } catch (cause) {
    throw new DomainError('NotFound', 'The SDK is not built. Run npm run build.', {
      cause,
    })
  }
}
