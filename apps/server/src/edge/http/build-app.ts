import type { Operation, PersonOperation } from '@parley/contract'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { z } from 'zod'
import { registerCompression } from './answer/compress-answer.js'
import { registerErrorReplies } from './answer/error-reply.js'
import { registerSecurityHeaders } from './answer/security-headers.js'
import { answerText } from './answer/send-answer.js'
import { makeRouter } from './operation-route.js'
import { makePersonRouter } from './person-route.js'
import { registerAuthentication } from './request/authenticate.js'
import { answerBrokenRequest, refuseNamelessHeader, requestIdOf, routableUrl } from './request/raw-request.js'
import { registerRequestLog, registerRequestTrace } from './request/request-log.js'
import { registerJsonBody, validatorCompiler } from './request/validation.js'
import { onlyWebSocketUpgrades } from './request/websocket-request.js'
import { registerAuditLogRoutes } from './routes/audit-log.js'
import { makeFindConsole, registerConsoleRoutes } from './routes/console.js'
import { registerEventRoutes } from './routes/event.js'
import { makePing, registerHealthRoutes } from './routes/health.js'
import { registerMcpRoutes } from './routes/mcp.js'
import { registerMcpAuthorizationRoutes } from './routes/mcp-authorization.js'
import { registerMeRoutes } from './routes/me.js'
import { registerMcpGrantRoutes, registerOAuthRoutes } from './routes/oauth.js'
import { registerOidcCallbackRoute } from './routes/oidc-callback.js'
import { registerPhoneRoutes } from './routes/phone.js'
import { registerPhoneWebhooks } from './routes/phone-webhook.js'
import { registerQuestionRoutes } from './routes/question.js'
import { registerRealtimeRoutes } from './routes/realtime.js'
import { registerReferenceRoutes } from './routes/reference.js'
import {
  registerAgentRoutes,
  registerAgentTestRoutes,
  registerApiKeyRoutes,
  registerApprovalRoutes,
  registerConnectionRoutes,
  registerConversationRetentionRoutes,
  registerConversationRoutes,
  registerEndUserRoutes,
  registerMemberRoutes,
  registerTaskRoutes,
  registerUsageRoutes,
  registerWebhookRoutes,
} from './routes/resources.js'
import { registerSdkFileRoutes } from './routes/sdk-file.js'
import { registerStartRoute } from './routes/start.js'
import { registerTemporaryFileRoutes } from './routes/temporary-file.js'
import type { App, Services } from './services.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the contract. Routes without one are not part of the API. */
    operation?: Operation
    /** The operation that a person calls for themselves. */
    personOperation?: PersonOperation
    /** The endpoint of MCP clients. */
    isMcp?: boolean
    /**
     * Whether machines request the route all the time. Such a route is not rate limited and is logged only at
     * level debug.
     */
    isUncounted?: boolean
    /** Whether the route counts its requests for the rate limit itself. */
    countsItself?: boolean
  }
}

const maxBodyBytes = 1024 * 1024
const requestTimeoutMilliseconds = 60_000
const headersTimeoutMilliseconds = 15_000
/** At least the length of a request line, so that a long id fails validation like any other malformed id. */
const maxParamLength = 16 * 1024

export interface AppOptions {
  readonly logger: FastifyBaseLogger
  readonly version: string
  /** Resolves when the installation is set up. Requests wait for it. */
  readonly whenSetUp: Promise<void>
}

/** Builds the HTTP application: first the request processing steps in order, then all routes. */
export async function buildApp(services: Services, { logger, version, whenSetUp }: AppOptions): Promise<App> {
  const app: App = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMilliseconds,
    http: { headersTimeout: headersTimeoutMilliseconds, ...onlyWebSocketUpgrades },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    rewriteUrl: routableUrl,
    routerOptions: { maxParamLength },
    clientErrorHandler: answerBrokenRequest,
    schemaController: { compilersFactory: { buildValidator: neverBuild, buildSerializer: neverBuild } },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      (answer) =>
        answerText(schema, answer),
  )
  app.addHook('onRequest', refuseNamelessHeader)
  app.addHook('onRequest', () => whenSetUp)
  registerRequestTrace(app, services)
  registerErrorReplies(app, services)
  registerJsonBody(app, services.questions.timers)
  registerRequestLog(app, services)
  registerSecurityHeaders(app)
  registerCompression(app)
  registerAuthentication(app, services)

  const router = makeRouter(app, services)
  registerAgentRoutes(router, services)
  registerAgentTestRoutes(router, services)
  registerConnectionRoutes(router, services)
  registerMcpAuthorizationRoutes(app, router, services)
  registerTaskRoutes(router, services)
  registerQuestionRoutes(router, services)
  registerRealtimeRoutes(app, router, services)
  registerPhoneRoutes(router, services)
  registerPhoneWebhooks(app, services)
  registerConversationRoutes(router, services)
  registerConversationRetentionRoutes(router, services)
  registerEndUserRoutes(router, services)
  registerApprovalRoutes(router, services)
  registerWebhookRoutes(router, services)
  await registerTemporaryFileRoutes(app, router, services)
  registerApiKeyRoutes(router, services)
  registerMemberRoutes(router, services)
  const personRouter = makePersonRouter(app, services)
  registerMeRoutes(personRouter, services)
  registerMcpGrantRoutes(router, personRouter, services)
  registerOidcCallbackRoute(app, services)
  registerUsageRoutes(router, services)
  registerAuditLogRoutes(router, services)
  registerEventRoutes(router, services)
  registerMcpRoutes(app, services, version)
  registerOAuthRoutes(app, services)
  const pingDatabase = makePing(services.database)
  registerHealthRoutes(app, services, pingDatabase)
  const findConsole = makeFindConsole()
  registerStartRoute(app, services, { version, pingDatabase, findConsole })
  registerConsoleRoutes(app, findConsole)
  await registerReferenceRoutes(app, version)
  registerSdkFileRoutes(app)
  return app
}

/**
 * The schemas are zod schemas. This compiler prevents Fastify from loading its JSON Schema compilers at every
 * start.
 */
const neverBuild = (): never => {
  throw new Error('No route has a JSON Schema.')
}
