// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `PhoneNumber` objects. */
export type PhoneNumberPage = Page<PhoneNumber>

/** A telephone number and the agent that answers it. */
export interface PhoneNumber {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The display name of the phone number. */
  name: string
  /** The telephone number in international format. */
  number: string
  /** The ID of the phone connection that the number belongs to. Calls need one. */
  phoneConnectionId: string | null
  /** The ID of the agent that answers calls to the number. If `null`, they are rejected. */
  agentId: string | null
  /**
   * The agent's first words. It can contain variables of the agent. If `null`, the agent's `firstMessage`. If
   * that is `null` too, the model chooses the words.
   */
  greeting: string | null
  /**
   * The language of the calls, as a BCP 47 tag. It helps to transcribe the other party, and announcements of
   * the service use it. If `null`, the language is detected.
   */
  language: string | null
  turnDetection: PhoneTurnDetectionOutput
  /**
   * The beginnings of the numbers whose calls are answered. If empty, calls from all numbers and anonymous
   * calls are answered.
   */
  allowedCallers: string[]
  /** The beginnings of the numbers whose calls are rejected. */
  blockedCallers: string[]
  /**
   * The people or departments to which the agent can transfer a call. If empty, the agent cannot transfer
   * calls.
   */
  transferTargets: {
    /** The name by which the agent chooses the target. */
    name: string
    /** The telephone number of the target. */
    number: string
  }[]
  /** Whether calls to the number are answered and calls from it can be made. */
  isEnabled: boolean
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId: string | null
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy: string | null
}

/** The parameters for creating or replacing a phone number. */
export interface PhoneNumberInput {
  /** The display name of the phone number. */
  name: string
  /** The telephone number in international format. */
  number: string
  /** The ID of the phone connection that the number belongs to. Calls need one. */
  phoneConnectionId?: string | null | undefined
  /** The ID of the agent that answers calls to the number. If `null`, they are rejected. */
  agentId?: string | null | undefined
  /**
   * The agent's first words. It can contain variables of the agent. If `null`, the agent's `firstMessage`. If
   * that is `null` too, the model chooses the words.
   */
  greeting?: string | null | undefined
  /**
   * The language of the calls, as a BCP 47 tag. It helps to transcribe the other party, and announcements of
   * the service use it. If `null`, the language is detected.
   */
  language?: string | null | undefined
  /** Default: `{"type":"semantic_vad","eagerness":"high"}`. */
  turnDetection?: PhoneTurnDetection | undefined
  /**
   * The beginnings of the numbers whose calls are answered. If empty, calls from all numbers and anonymous
   * calls are answered. Default: `[]`.
   */
  allowedCallers?: string[] | undefined
  /** The beginnings of the numbers whose calls are rejected. Default: `[]`. */
  blockedCallers?: string[] | undefined
  /**
   * The people or departments to which the agent can transfer a call. If empty, the agent cannot transfer
   * calls. Default: `[]`.
   */
  transferTargets?: {
    /** The name by which the agent chooses the target. */
    name: string
    /** The telephone number of the target. */
    number: string
  }[] | undefined
  /** Whether calls to the number are answered and calls from it can be made. Default: `true`. */
  isEnabled?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** A merge patch for a phone number. */
export interface PhoneNumberPatch {
  /** The display name of the phone number. */
  name?: string | undefined
  /** The telephone number in international format. */
  number?: string | undefined
  /** The ID of the phone connection that the number belongs to. Calls need one. */
  phoneConnectionId?: string | null | undefined
  /** The ID of the agent that answers calls to the number. If `null`, they are rejected. */
  agentId?: string | null | undefined
  /**
   * The agent's first words. It can contain variables of the agent. If `null`, the agent's `firstMessage`. If
   * that is `null` too, the model chooses the words.
   */
  greeting?: string | null | undefined
  /**
   * The language of the calls, as a BCP 47 tag. It helps to transcribe the other party, and announcements of
   * the service use it. If `null`, the language is detected.
   */
  language?: string | null | undefined
  turnDetection?: PhoneTurnDetection | undefined
  /**
   * The beginnings of the numbers whose calls are answered. If empty, calls from all numbers and anonymous
   * calls are answered.
   */
  allowedCallers?: string[] | undefined
  /** The beginnings of the numbers whose calls are rejected. */
  blockedCallers?: string[] | undefined
  /**
   * The people or departments to which the agent can transfer a call. If empty, the agent cannot transfer
   * calls.
   */
  transferTargets?: {
    /** The name by which the agent chooses the target. */
    name: string
    /** The telephone number of the target. */
    number: string
  }[] | undefined
  /** Whether calls to the number are answered and calls from it can be made. */
  isEnabled?: boolean | undefined
  /**
   * The ID of the resource in an external system. It must be unique within the organization. `null` if there
   * is none.
   */
  externalId?: string | null | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** The parameters for creating or replacing a phone number by its external ID, which is part of the path. */
export interface PhoneNumberUpsert {
  /** The display name of the phone number. */
  name: string
  /** The telephone number in international format. */
  number: string
  /** The ID of the phone connection that the number belongs to. Calls need one. */
  phoneConnectionId?: string | null | undefined
  /** The ID of the agent that answers calls to the number. If `null`, they are rejected. */
  agentId?: string | null | undefined
  /**
   * The agent's first words. It can contain variables of the agent. If `null`, the agent's `firstMessage`. If
   * that is `null` too, the model chooses the words.
   */
  greeting?: string | null | undefined
  /**
   * The language of the calls, as a BCP 47 tag. It helps to transcribe the other party, and announcements of
   * the service use it. If `null`, the language is detected.
   */
  language?: string | null | undefined
  /** Default: `{"type":"semantic_vad","eagerness":"high"}`. */
  turnDetection?: PhoneTurnDetection | undefined
  /**
   * The beginnings of the numbers whose calls are answered. If empty, calls from all numbers and anonymous
   * calls are answered. Default: `[]`.
   */
  allowedCallers?: string[] | undefined
  /** The beginnings of the numbers whose calls are rejected. Default: `[]`. */
  blockedCallers?: string[] | undefined
  /**
   * The people or departments to which the agent can transfer a call. If empty, the agent cannot transfer
   * calls. Default: `[]`.
   */
  transferTargets?: {
    /** The name by which the agent chooses the target. */
    name: string
    /** The telephone number of the target. */
    number: string
  }[] | undefined
  /** Whether calls to the number are answered and calls from it can be made. Default: `true`. */
  isEnabled?: boolean | undefined
  /**
   * The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply
   * --prune` deletes the managed resources that are no longer in the files.
   */
  managedBy?: string | null | undefined
}

/** When the agent answers: if the sentence sounds finished (`semantic_vad`) or after a silence (`server_vad`). */
export type PhoneTurnDetectionOutput = {
  type: 'semantic_vad'
  /** How soon the agent answers a sentence that sounds unfinished. */
  eagerness: 'low' | 'medium' | 'high' | 'auto'
} | {
  type: 'server_vad'
  /** The silence after which the agent answers. */
  silenceMilliseconds: number
}

/** When the agent answers: if the sentence sounds finished (`semantic_vad`) or after a silence (`server_vad`). */
export type PhoneTurnDetection = {
  type: 'semantic_vad'
  /** How soon the agent answers a sentence that sounds unfinished. Default: `"high"`. */
  eagerness?: 'low' | 'medium' | 'high' | 'auto' | undefined
} | {
  type: 'server_vad'
  /** The silence after which the agent answers. Default: `500`. */
  silenceMilliseconds?: number | undefined
}
