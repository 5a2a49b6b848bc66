import type { PersonOperation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { PersonScope, Requester } from '../../domain/people/person-scope.js'
import type { FoundSession } from '../../ports/people-stores.js'
import { type Call, callOf, NoQuery, type ResultOf, requireWholePath, send } from './operation-route.js'
import { requesterOf, type StorelessPersonScope, visitorOf } from './request/admit-person.js'
import { revertAttempt } from './request/rate-limit.js'
import { requireDecodableQuery } from './request/raw-request.js'
import { type App, type Services, signedInOf } from './services.js'

/** The scope of a call by anyone, whether signed in or not. */
export interface Newcomer {
  readonly requester: Requester
  readonly signedIn: FoundSession | null
  readonly reply: FastifyReply
}

type OwnCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Call<
  z.output<P>,
  z.output<Q>,
  z.output<B>
>

/** Registers the operations that people call for themselves. */
export function makePersonRouter(app: App, services: Services) {
  const { database } = services

  function register<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    operation: PersonOperation<P, Q, B, A>,
    run: (call: OwnCall<P, Q, B>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { personOperation: operation as PersonOperation },
      preValidation: [requireWholePath, requireDecodableQuery],
      schema: {
        ...(operation.params && { params: operation.params }),
        querystring: operation.query ?? NoQuery,
        ...(operation.body && { body: operation.body }),
        ...(operation.response && { response: { '2xx': operation.response } }),
      },
      handler: async (request, reply) => {
        const call = callOf<z.output<P>, z.output<Q>, z.output<B>>(request)
        return send(reply, operation, await run(call, request, reply))
      },
    })
  }

  const storelessScopeOf = (request: FastifyRequest): StorelessPersonScope => {
    const found = signedInOf(request)
    if (found === null) throw new Error('A route without a session requested the signed-in person.')
    return { person: found.person, session: found.session, requester: requesterOf(services, request) }
  }
  const ownDatabase = ({ person }: StorelessPersonScope) =>
    database.ownedBy({ organizationId: person.id, kind: 'call' })

  return {
    /** A read-only call. */
    read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: PersonOperation<P, Q, B, A>,
      handle: (call: OwnCall<P, Q, B>, scope: PersonScope) => Promise<ResultOf<A>>,
    ): void {
      register(operation, (call, request) => {
        const storelessScope = storelessScopeOf(request)
        return handle(call, { ...storelessScope, stores: ownDatabase(storelessScope).stores })
      })
    },

    /** A call whose changes are committed in one transaction, together with their audit records. */
    write<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: PersonOperation<P, Q, B, A>,
      handle: (call: OwnCall<P, Q, B>, scope: PersonScope, reply: FastifyReply) => Promise<ResultOf<A>>,
    ): void {
      register(operation, (call, request, reply) => {
        const storelessScope = storelessScopeOf(request)
        return ownDatabase(storelessScope).transaction((stores) =>
          handle(call, { ...storelessScope, stores }, reply),
        )
      })
    },

    /** A slow call that opens its own transaction. */
    act<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: PersonOperation<P, Q, B, A>,
      handle: (call: OwnCall<P, Q, B>, scope: StorelessPersonScope) => Promise<ResultOf<A>>,
    ): void {
      register(operation, (call, request) => handle(call, storelessScopeOf(request)))
    },

    /** A call that needs no session, such as sign-in. It counts as a failed attempt unless it succeeds. */
    admit<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: PersonOperation<P, Q, B, A>,
      handle: (call: OwnCall<P, Q, B>, newcomer: Newcomer) => Promise<ResultOf<A>>,
    ): void {
      register(operation, async (call, request, reply) => {
        const requester = visitorOf(services, request)
        const result = await handle(call, { requester, signedIn: signedInOf(request), reply })
        await revertAttempt(services, request)
        return result
      })
    },
  }
}

export type PersonRouter = ReturnType<typeof makePersonRouter>
