import type { Readable } from 'node:stream'
import type { Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller, CallerScope } from '../../domain/caller-scope.js'
import { DomainError } from '../../domain/domain-error.js'
import type { IfMatch } from '../../domain/resources/resource.js'
import type { Stores } from '../../ports/database.js'
import { answerIdempotently, idempotencyKeyOf } from './answer/idempotent-answer.js'
import { recordRefusal } from './answer/record-refusal.js'
import { etagOf, ifMatchOf, isDryRun, sendDryRun } from './answer/send-answer.js'
import { requireDecodableQuery } from './request/raw-request.js'
import { type App, callerOf, type Services } from './services.js'

/** The query of operations without parameters. Any parameter is rejected. */
export const NoQuery = z.strictObject({})

/** A request to an operation, validated and typed by its schemas. */
export interface Call<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly ifMatch: IfMatch
}

type Handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Result> = (
  call: Call<z.output<P>, z.output<Q>, z.output<B>>,
  scope: CallerScope,
) => Promise<Result>

/** Throws if the caller is not allowed to call the operation at all. Runs before the request is parsed. */
type Admission = (caller: Caller) => void

/** The result of a handler. The response schema selects its fields. */
export type ResultOf<A extends z.ZodType> = A extends z.ZodUndefined ? undefined : Wide<z.input<A>>
type Wide<T> = T extends readonly (infer Item)[]
  ? readonly Wide<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Wide<T[K]> }
    : T

/** A file that is streamed from the database. */
export interface ExportedFile {
  readonly contentType: string
  readonly fileName: string
  readonly content: Readable
}

/** A request and its reply in Fastify. */
export interface HttpCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Registers operations of the contract as routes. */
export function makeRouter(app: App, services: Services) {
  const { database } = services
  /** Organizations share the database, so each call waits for a slot in the queue of its organization. */
  const atDatabase = <Result>({ organizationId }: Caller, work: () => Promise<Result>) =>
    database.runFairly({ organizationId, kind: 'call' }, work)
  /** For calls that do more than query the database. Each of their statements waits for its own slot. */
  const ownScope = (caller: Caller): CallerScope => ({
    stores: database.ownedBy({ organizationId: caller.organizationId, kind: 'call' }).stores,
    caller,
  })

  function register<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    operation: Operation<P, Q, B, A>,
    run: (
      call: Call<z.output<P>, z.output<Q>, z.output<B>>,
      caller: Caller,
      http: HttpCall,
    ) => Promise<FastifyReply>,
    admit: Admission = () => undefined,
  ): void {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation: operation as Operation },
      onRequest: async (request) => admit(callerOf(request)),
      preValidation: [requireWholePath, requireDecodableQuery],
      schema: {
        ...(operation.params && { params: operation.params }),
        querystring: operation.query ?? NoQuery,
        ...(operation.body && { body: operation.body }),
        ...(operation.response && { response: { '2xx': operation.response } }),
      },
      handler: async (request, reply) => {
        const call = callOf<z.output<P>, z.output<Q>, z.output<B>>(request)
        const caller = callerOf(request)
        try {
          return await run(call, caller, { request, reply })
        } catch (error) {
          if (error instanceof DomainError && error.code === 'Forbidden' && !isDryRun(call.query))
            await recordRefusal(services, caller, { operation, detail: error.detail })
          throw error
        }
      },
    })
  }

  return {
    /** A read-only call. */
    read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: Handler<P, Q, B, ResultOf<A>>,
    ): void {
      register(operation, async (call, caller, { reply }) => {
        const scope = { stores: database.stores, caller }
        const result = await atDatabase(caller, () => handle(call, scope))
        return send(reply, operation, result)
      })
    },

    /** A call whose changes are committed in one transaction, together with their audit records. */
    write<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: Handler<P, Q, B, ResultOf<A>>,
    ): void {
      register(operation, async (call, caller, http) => {
        const key = operation.isIdempotent ? idempotencyKeyOf(http.request) : null
        const act = (stores: Stores) => handle(call, { stores, caller })
        if (isDryRun(call.query)) {
          const wouldBe = await atDatabase(caller, () => database.dryRun(act))
          return sendDryRun(http.reply, operation, wouldBe)
        }
        if (key !== null) return answerIdempotently(services, { ...http, operation, key }, act)
        const result = await atDatabase(caller, () => database.transaction(act))
        return send(http.reply, operation, result)
      })
    },

    /** A write that creates or replaces the resource in its path. */
    upsert<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: Handler<P, Q, B, { readonly resource: ResultOf<A>; readonly isNew: boolean }>,
    ): void {
      register(operation, async (call, caller, { reply }) => {
        const act = (stores: Stores) => handle(call, { stores, caller })
        const isTried = isDryRun(call.query)
        const { resource, isNew } = await atDatabase(caller, () =>
          isTried ? database.dryRun(act) : database.transaction(act),
        )
        const answered = isNew ? { ...operation, status: 201 as const } : operation
        return isTried ? sendDryRun(reply, answered, resource) : send(reply, answered, resource)
      })
    },

    /**
     * A call to another system, which must not hold a transaction. It opens its own transactions if needed.
     */
    act<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: Handler<P, Q, B, ResultOf<A>>,
      admit?: Admission,
    ): void {
      register(
        operation,
        async (call, caller, { reply }) => send(reply, operation, await handle(call, ownScope(caller))),
        admit,
      )
    },

    /** A call that writes its own response. */
    respond<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: (
        call: Call<z.output<P>, z.output<Q>, z.output<B>>,
        scope: CallerScope,
        http: HttpCall,
      ) => Promise<FastifyReply>,
    ): void {
      register(operation, (call, caller, http) => handle(call, ownScope(caller), http))
    },

    /** A call that returns a file as a stream. */
    stream<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
      operation: Operation<P, Q, B, A>,
      handle: (
        call: Call<z.output<P>, z.output<Q>, z.output<B>>,
        scope: CallerScope,
      ) => ExportedFile | Promise<ExportedFile>,
    ): void {
      register(operation, async (call, caller, { reply }) => {
        const file = await handle(call, ownScope(caller))
        reply.header('content-disposition', `attachment; filename="${file.fileName}"`)
        return reply.code(operation.status).type(file.contentType).send(file.content)
      })
    },
  }
}

export type Router = ReturnType<typeof makeRouter>

/**
 * Responds with 404 if a path parameter is empty. The router accepts empty parameters, but the contract does
 * not.
 */
export async function requireWholePath({ params }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (!Object.values(params as Readonly<Record<string, string>>).includes('')) return
  reply.callNotFound()
  return reply
}

export function callOf<P, Q, B>(request: FastifyRequest): Call<P, Q, B> {
  return {
    params: request.params as P,
    query: request.query as Q,
    body: request.body as B,
    ifMatch: ifMatchOf(request),
  }
}

/** Sends a result with its status and ETag. Fastify writes only the fields of the response schema. */
export function send(
  reply: FastifyReply,
  operation: Pick<Operation, 'status' | 'response' | 'hasETag'>,
  result: unknown,
): FastifyReply {
  reply.code(operation.status)
  if (operation.hasETag) reply.header('etag', etagOf((result as { version: number }).version))
  return operation.response ? reply.send(result) : reply.send()
}
