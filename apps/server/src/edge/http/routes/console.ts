import { DomainError } from '../../../domain/domain-error.js'
import { sendBuiltFile } from '../answer/built-file.js'
import { type ConsoleBuild, readConsoleBuild } from '../answer/console-page.js'
import type { App } from '../services.js'

/** Reads the console once, when somebody first asks for it. */
export type FindConsole = () => Promise<ConsoleBuild | null>

export function makeFindConsole(): FindConsole {
  let reading: Promise<ConsoleBuild | null> | undefined
  return () => {
    reading ??= readConsoleBuild()
    return reading
  }
}

/** The files of the console. Their names change with what is in them, so a copy never has to be asked about. */
export function registerConsoleRoutes(app: App, findConsole: FindConsole): void {
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const file = (await findConsole())?.files.get(request.params.name)
    if (file === undefined)
      throw new DomainError('NotFound', 'The console has no such file. Load its page again: it may be newer.')
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendBuiltFile(request, reply, file)
  })
}
