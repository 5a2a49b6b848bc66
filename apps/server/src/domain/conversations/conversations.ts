import {
  type ConversationListQuery,
  findMetadataProblem,
  findVariablesProblem,
  type MessageListQuery,
  type Metadata,
  metadataFilterOf,
  type Page,
  type Variables,
} from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { ConversationRecord, MessageRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { erasureInProgress, requireNoErasure } from '../end-users/erasure-in-progress.js'
import { type Addition, type Limits, oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'
import {
  listResources,
  newResource,
  readPage,
  readResource,
  removeResource,
  type TargetVersion,
} from '../resources/resource.js'

const type = 'Conversation'

export type Conversations = ReturnType<typeof makeConversations>

export function makeConversations({ clock }: { readonly clock: Clock }) {
  const kind = { type, clock, store: (stores: Stores) => stores.conversations }

  return {
    list: (scope: CallerScope, query: ConversationListQuery) =>
      listResources(kind, scope, {
        query,
        filter: {
          agentId: query.AgentId,
          search: query.Search,
          rehearsal: query.Rehearsal,
          endUserId: query.EndUserId,
          externalUserId: query.ExternalUserId,
          metadata: metadataFilterOf(query),
        },
      }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    async listMessages(
      scope: CallerScope,
      id: string,
      query: MessageListQuery,
    ): Promise<Page<MessageRecord>> {
      const { organizationId } = await readResource(kind, scope, id)
      const { conversations } = scope.stores
      return readPage(query, (page) => conversations.listMessages(organizationId, id, page))
    },

    /** Deletes a conversation and its content. Ends its sessions, and cancels its waiting calls. */
    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { stores, caller } = scope
      const { id, endUserId, rehearsal } = await removeResource(kind, scope, target)
      if (endUserId !== null) await stores.endUsers.addConversations(endUserId, -1)
      await stores.conversations.removeMessages(id)
      const now = clock.now().toISOString()
      // Called before the deletion, so that events about ended calls and turns are still sent, but without
      // their texts.
      await stores.webhookDeliveries.forgetConversation(id, now)
      await stores.approvals.forgetConversation(id, now)
      await stores.turns.forgetConversation(id, now)
      await stores.files.takeFromConversation(id)
      await stores.phoneCalls.forgetConversation(id, now)
      await stores.realtimeSessions.requestEnd(caller.organizationId, { conversationId: id }, now)
      const details = { ...(endUserId !== null && { endUserId }), ...(rehearsal && { rehearsal }) }
      await recordChange(clock, scope, { action: 'conversation.delete', type, id, details })
    },
  }
}

interface WantedConversation {
  readonly agent: Pick<AgentRecord, 'id' | 'organizationId'>
  /** Null for a new conversation. */
  readonly conversationId: string | null
  /**
   * Whether the next messages are a rehearsal. All messages of a conversation are either a rehearsal or not.
   */
  readonly rehearsal: boolean
  readonly context: ConversationContext
}

/** What a request tells about its end user. */
export interface ConversationContext {
  readonly externalUserId: string | null
  readonly metadata: Metadata
  readonly variables: Variables
}

/**
 * Returns the caller's existing conversation with the agent, or a new one, and locks it. Throws if the limits
 * do not allow its messages. Messages of running sessions are not limited.
 */
export async function conversationFor(
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
  scope: CallerScope,
  wanted: WantedConversation,
): Promise<ConversationRecord> {
  await limits.requireRoom(scope, conversationAdditions(wanted.conversationId))
  return conversationIn({ clock }, scope, wanted)
}

/** The resources that a request adds to a conversation, for the organization's limits. */
export function conversationAdditions(conversationId: string | null): readonly Addition[] {
  return [oneMore('messages'), ...(conversationId === null ? [oneMore('conversations')] : [])]
}

/** Like `conversationFor`, for callers that have already checked the limits. */
export async function conversationIn(
  { clock }: { readonly clock: Clock },
  { stores }: CallerScope,
  { agent, conversationId, rehearsal, context }: WantedConversation,
): Promise<ConversationRecord> {
  if (conversationId === null) {
    const resource = newResource(clock, agent.organizationId)
    const blank = {
      title: null,
      messageCount: 0,
      lastMessageAt: null,
      deletedAt: null,
      removalRequestedAt: null,
    }
    const endUserId = await seeEndUser({ clock }, stores, {
      organizationId: agent.organizationId,
      externalUserId: context.externalUserId,
      isNewConversation: true,
    })
    const added = { ...resource, agentId: agent.id, rehearsal, endUserId, ...context, ...blank }
    await stores.conversations.add(added)
    return added
  }
  const conversation = await stores.conversations.find(agent.organizationId, conversationId)
  if (conversation === null) {
    await requireNoErasure(stores, agent.organizationId, context.externalUserId)
    throw notFound('Conversation')
  }
  // A concurrent deletion either came first, or comes later and finds the work that begins here.
  if (!(await stores.conversations.lock(conversation.id))) throw notFound('Conversation')
  const { endUserId } = conversation
  if (endUserId !== null && (await stores.endUsers.isBeingErased(endUserId))) throw erasureInProgress()
  if (conversation.agentId !== agent.id)
    throw invalidRequest([{ path: 'conversationId', message: 'must be a conversation of this agent' }])
  if (conversation.rehearsal !== rehearsal)
    throw invalidRequest([{ path: 'rehearsal', message: rehearsal ? noRehearsal : onlyRehearsal }])
  return withContext({ clock }, stores, conversation, context)
}

/** Merges what a request tells about its end user into the stored conversation. */
async function withContext(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  found: ConversationRecord,
  context: ConversationContext,
): Promise<ConversationRecord> {
  const { externalUserId } = context
  if (isEmpty(context)) return found
  // Read again under the lock, so that concurrent requests neither overwrite each other nor take over the conversation.
  const conversation = await stores.conversations.find(found.organizationId, found.id)
  if (conversation === null) throw notFound('Conversation')
  const isNamed = conversation.externalUserId !== null
  if (isNamed && externalUserId !== null && externalUserId !== conversation.externalUserId)
    throw new DomainError('Forbidden', 'The conversation belongs to another end user.')
  const seen = { organizationId: conversation.organizationId, externalUserId, isNewConversation: !isNamed }
  const merged = {
    endUserId: (await seeEndUser({ clock }, stores, seen)) ?? conversation.endUserId,
    externalUserId: externalUserId ?? conversation.externalUserId,
    metadata: { ...conversation.metadata, ...context.metadata },
    variables: { ...conversation.variables, ...context.variables },
  }
  const problems = [
    ['metadata', findMetadataProblem(merged.metadata)],
    ['variables', findVariablesProblem(merged.variables)],
  ] as const
  const errors = problems.flatMap(([path, message]) =>
    message === null ? [] : [{ path, message: `${message}, together with that of the conversation` }],
  )
  if (errors.length > 0) throw invalidRequest(errors)
  await stores.conversations.updateContext(conversation.id, merged, clock.now().toISOString())
  return { ...conversation, ...merged }
}

/** Returns the part of a request that describes its end user. */
export function contextOf({ externalUserId, metadata, variables }: ConversationContext): ConversationContext {
  return { externalUserId, metadata, variables }
}

function isEmpty({ externalUserId, metadata, variables }: ConversationContext): boolean {
  return externalUserId === null && Object.keys(metadata).length + Object.keys(variables).length === 0
}

interface NamedEndUser {
  readonly organizationId: string
  readonly externalUserId: string | null
  readonly isNewConversation: boolean
}

/** Returns the id of the end user that a request names, or null. */
async function seeEndUser(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  { organizationId, externalUserId, isNewConversation }: NamedEndUser,
): Promise<string | null> {
  if (externalUserId === null) return null
  const { id, erasureStartedAt } = await stores.endUsers.see({
    organizationId,
    externalId: externalUserId,
    newId: newId(),
    at: clock.now().toISOString(),
  })
  if (erasureStartedAt !== null) throw erasureInProgress()
  if (isNewConversation) await stores.endUsers.addConversations(id, 1)
  return id
}

const onlyRehearsal =
  'is required because the conversation is a rehearsal. Send its stubs, or omit conversationId'
const noRehearsal = 'must be omitted, because this conversation is not a rehearsal'
