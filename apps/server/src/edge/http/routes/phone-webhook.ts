import type { FastifyRequest } from 'fastify'
import { validate as isUuid } from 'uuid'
import { DomainError } from '../../../domain/domain-error.js'
import { requireCarrier } from '../request/carrier-request.js'
import type { App, Services } from '../services.js'

const maxFormBytes = 64 * 1024

/** Registers the webhooks of telephone providers, which are not part of the API. Every request must be signed. */
export function registerPhoneWebhooks(app: App, services: Services): void {
  const { calls } = services
  app.register(async (scope) => {
    // The signature covers the unparsed body.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, String(body)),
    )
    const carrierOf = (request: FastifyRequest) => {
      const { phoneConnectionId = '' } = request.params as Readonly<Record<string, string>>
      const body = typeof request.body === 'string' ? request.body : ''
      return requireCarrier(services, request.raw, { phoneConnectionId, body })
    }

    scope.post('/phone/:phoneConnectionId/answer', async (http, reply) => {
      const { connection, carrier, request } = await carrierOf(http)
      const answer = await calls.answer(connection, carrier, request)
      if (answer === null) throw new DomainError('InvalidRequest', 'The request announces no call.')
      return reply.type(answer.contentType).send(answer.body)
    })

    scope.post('/phone/:phoneConnectionId/status', async (http, reply) => {
      const { connection, carrier, request } = await carrierOf(http)
      const status = carrier.readStatus(request)
      const { call } = http.query as Readonly<Record<string, unknown>>
      const callId = typeof call === 'string' && isUuid(call) ? call.toLowerCase() : null
      if (status !== null) await calls.noteStatus(connection, status, callId)
      return reply.code(204).send()
    })
  })
}
