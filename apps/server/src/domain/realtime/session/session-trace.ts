import type { EndReason } from '@parley/contract'
import type { RealtimeSessionRecord } from '../../../ports/realtime-stores.js'
import { providerNames, type Span, type SpanAttributes, type Tracing } from '../../../ports/tracing.js'
import type { SessionModels } from '../opening/accept-session.js'
import type { ProviderEvent, ResponseDoneEvent } from '../protocol/provider-event.js'

/**
 * The maximum number of open responses with a span. If a provider leaves more responses open, they have no
 * span.
 */
const maxOpenResponses = 100

/** End reasons that do not count as failures. */
const normalEndReasons: ReadonlySet<EndReason> = new Set([
  'client_left',
  'draining',
  'idle_timeout',
  'max_duration',
  'terminated',
])

/**
 * The span of a session, which is a child of the request that created its ticket. Responses and calls are its
 * children.
 */
export class SessionTrace {
  readonly span: Span
  readonly #tracing: Tracing
  #models: SessionModels
  readonly #responses = new Map<string, Span>()

  constructor(tracing: Tracing, session: RealtimeSessionRecord, models: SessionModels) {
    this.#tracing = tracing
    this.#models = models
    this.span = tracing.begin({
      name: `invoke_agent ${session.setup.agentName}`,
      kind: 'server',
      parent: session.setup.trace ?? {},
      attributes: {
        ...this.#modelAttributes('invoke_agent'),
        'gen_ai.agent.id': session.agentId,
        'gen_ai.agent.name': session.setup.agentName,
        'gen_ai.conversation.id': session.conversationId,
        'parley.session.id': session.id,
        'enduser.id': session.endUserId ?? undefined,
        'parley.organization.id': session.organizationId,
      },
    })
  }

  /** Wraps the connection to the provider in a span. */
  async connecting<Connection extends { readonly ok: boolean }>(
    connect: () => Promise<Connection>,
  ): Promise<Connection> {
    const attributes = this.#modelAttributes('chat')
    const span = this.#begin('connect to provider', attributes)
    const connection = await span.run(connect)
    span.set({ 'error.type': connection.ok ? undefined : 'provider_unavailable' })
    span.end(connection.ok ? null : 'the provider could not be reached')
    return connection
  }

  /** Called when a model has answered, which may be a fallback. */
  answeredBy(models: SessionModels): void {
    this.#models = models
    this.span.set(this.#modelAttributes('invoke_agent'))
  }

  /** Ends the spans of the open responses, which will not end otherwise. */
  endResponses(failure: string): void {
    for (const span of this.#responses.values()) span.end(failure)
    this.#responses.clear()
  }

  observe(event: ProviderEvent): void {
    if (event.type === 'response.created') this.#noteCreated(event.responseId)
    else if (event.type === 'response.done') this.#noteDone(event)
  }

  end(reason: EndReason): void {
    this.endResponses('the session ended')
    const failure = normalEndReasons.has(reason) ? null : reason
    this.span.set({ 'parley.session.end_reason': reason, 'error.type': failure ?? undefined })
    this.span.end(failure)
  }

  #noteCreated(responseId: string | null): void {
    if (!this.span.isRecording || responseId === null) return
    if (this.#responses.size >= maxOpenResponses || this.#responses.has(responseId)) return
    const attributes = { ...this.#modelAttributes('chat'), 'gen_ai.response.id': responseId }
    this.#responses.set(responseId, this.#begin(`chat ${this.#models.response.model}`, attributes))
  }

  #noteDone({ responseId, status, usage }: ResponseDoneEvent): void {
    const span = responseId === null ? undefined : this.#responses.get(responseId)
    if (responseId === null || span === undefined) return
    this.#responses.delete(responseId)
    span.set({
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
      'gen_ai.response.finish_reasons': status === null ? undefined : [status],
      'error.type': status === 'failed' ? 'response_failed' : undefined,
    })
    span.end(status === 'failed' ? 'the response failed' : null)
  }

  #begin(name: string, attributes: SpanAttributes): Span {
    return this.span.run(() => this.#tracing.begin({ name, kind: 'client', attributes }))
  }

  #modelAttributes(operation: string): SpanAttributes {
    const { kind, model, connectionId } = this.#models.response
    return {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerNames[kind],
      'gen_ai.request.model': model,
      'gen_ai.output.type': 'speech',
      'parley.connection.id': connectionId,
    }
  }
}
