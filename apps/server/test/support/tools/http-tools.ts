import { afterAll, afterEach, beforeAll } from 'vitest'
import { makeHttpToolExecutor } from '#server/adapters/http-tools/http-tool-executor.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { noTracing } from '#server/adapters/system/tracing.js'
import type { HttpTool, ToolInvocation } from '#server/ports/tool-executor.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../scripted-http-server.js'
import { httpTool, invocationOf } from './invocations.js'

export interface HttpTools {
  readonly executor: ReturnType<typeof makeHttpToolExecutor>
  readonly server: ScriptedHttpServer
  /** Runs a tool whose URL is a path of the scripted server. */
  run(
    request: Partial<HttpTool['request']>,
    given?: Readonly<Record<string, unknown>>,
    changes?: Partial<ToolInvocation>,
  ): ReturnType<ReturnType<typeof makeHttpToolExecutor>['run']>
}

/** The executor of HTTP tools and a scripted server, for the tests of a file. */
export function useHttpTools(): HttpTools {
  const outbound = makeOutbound({ allowedPrivateHosts: ['127.0.0.1'] })
  const executor = makeHttpToolExecutor(outbound, noTracing)
  let server: ScriptedHttpServer

  beforeAll(async () => {
    server = await startScriptedHttpServer()
  })
  afterEach(() => server.verify())
  afterAll(async () => {
    await outbound.close()
    await server.close()
  })

  return {
    executor,
    get server() {
      return server
    },
    run(request, given = {}, changes = {}) {
      const url = `${server.url}${request.url ?? '/'}`
      return executor.run(httpTool({ ...request, url }), invocationOf(given, changes))
    },
  }
}
