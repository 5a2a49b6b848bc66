// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of Task items. */
export type TaskPage = Page<Task>

/** A piece of work, for a person or an agent. */
export interface Task {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description: string | null
  /** How far the task has come. */
  status: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled'
  /** The agent it is assigned to. */
  agentId: string | null
  /** How pressing it is. */
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** What came of it. */
  result: string | null
  /** Its id in another system, unique in the organization. */
  externalId: string | null
  /** When it should be finished (UTC). */
  dueAt: string | null
  /** The conversation in which an agent made it; null where it was made otherwise. */
  conversationId: string | null
}

/** A task as it is created or replaced. */
export interface TaskInput {
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** A merge patch of a task. */
export interface TaskPatch {
  /** What is to be done, in one line. */
  title?: string | undefined
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
  /** Its id in another system, unique in the organization. */
  externalId?: string | null | undefined
}

/** A task as another system states it; its external id stands in the path. */
export interface TaskUpsert {
  /** What is to be done, in one line. */
  title: string
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** How far the task has come. Default: `"open"`. */
  status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** The agent it is assigned to. */
  agentId?: string | null | undefined
  /** How pressing it is. Default: `"normal"`. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined
  /** What came of it. */
  result?: string | null | undefined
  /** When it should be finished. */
  dueAt?: string | null | undefined
}
