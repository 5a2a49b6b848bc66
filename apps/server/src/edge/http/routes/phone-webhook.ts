import type { FastifyReply, FastifyRequest } from 'fastify'
import { validate as isUuid } from 'uuid'
import type { NamedCall } from '../../../domain/telephone/call-reports.js'
import { receiveWebhook } from '../../../domain/telephone/receive-webhook.js'
import { CarrierAdmission } from '../request/carrier-request.js'
import type { App, Services } from '../services.js'

const maxBodyBytes = 64 * 1024

/**
 * Registers the webhooks of telephone providers, which are not part of the API. Every request must be signed. Both URLs
 * accept every webhook, because some providers have one URL for everything.
 */
export function registerPhoneWebhooks(app: App, services: Services): void {
  app.register(async (scope) => {
    const admission = new CarrierAdmission(services)
    // The signature covers the unparsed body of every content type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, String(body)),
    )
    scope.addHook('onRequest', (request) => admission.count(request.raw, connectionIdOf(request)))

    async function receive(http: FastifyRequest, reply: FastifyReply) {
      const body = typeof http.body === 'string' ? http.body : ''
      const phoneConnectionId = connectionIdOf(http)
      const webhook = await admission.requireWebhook(http.raw, { phoneConnectionId, body })
      const answer = await receiveWebhook(services, { ...webhook, named: namedCallOf(http) })
      if (answer === null) return reply.code(204).send()
      return reply.type(answer.contentType).send(answer.body)
    }

    for (const path of ['/phone/:phoneConnectionId/answer', '/phone/:phoneConnectionId/status'])
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        handler: receive,
        config: { countsItself: true },
      })
  })
}

function connectionIdOf(request: FastifyRequest): string {
  const { phoneConnectionId = '' } = request.params as Readonly<Record<string, string>>
  return phoneConnectionId
}

/** Returns the call that the URL names, or null. The service has put it there when it dialed. */
function namedCallOf(request: FastifyRequest): NamedCall | null {
  const { call, token } = request.query as Readonly<Record<string, unknown>>
  if (typeof call !== 'string' || !isUuid(call)) return null
  return { id: call.toLowerCase(), token: typeof token === 'string' ? token : null }
}
