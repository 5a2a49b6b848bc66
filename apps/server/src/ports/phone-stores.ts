import type {
  CallRequest,
  PhoneCall,
  PhoneCallEndReason,
  PhoneCallListQuery,
  PhoneConnection,
  PhoneNumber,
  PhoneTurnDetection,
} from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore, WriteOutcome } from './resource-store.js'

export interface PhoneConnectionRecord
  extends Readonly<Omit<PhoneConnection, 'hasSecret' | 'hasWebhookSecret' | 'state'>>,
    ResourceRecord {
  readonly sealedSecret: string | null
  readonly sealedWebhookSecret: string | null
  /** When the account was last checked, or null if never. */
  readonly checkedAt: string | null
  /** The instance that has claimed the SIP line, or null. */
  readonly lineInstanceId: string | null
}

export interface PhoneConnectionFilter {
  readonly search?: string | undefined
}

export interface PhoneConnectionStore
  extends ResourceStore<PhoneConnectionRecord, PhoneConnectionFilter>,
    UpsertStore<PhoneConnectionRecord> {
  /** Returns the phone connection of any organization, for requests of its provider. */
  findForProvider(id: string): Promise<PhoneConnectionRecord | null>
  /** Saves whether the provider accepted the last request. */
  saveCheck(id: string, failure: string | null, at: string): Promise<void>
  /**
   * Claims enabled SIP accounts with a secret for this instance, up to `limit`: those that no live instance holds.
   * Organizations take turns, also with the lines that are held already. Has no effect if the lease of this instance has
   * expired.
   */
  claimLines(claim: {
    readonly instanceId: string
    readonly leaseSeconds: number
    readonly limit: number
  }): Promise<void>
  /** Saves a failure of the SIP accounts that no live instance holds and that did not change since `unchangedSince`. */
  failUnheldLines(options: {
    readonly leaseSeconds: number
    readonly failure: string
    readonly unchangedSince: string
    readonly at: string
  }): Promise<void>
  /** Returns the phone connections that this instance has claimed. */
  linesOf(instanceId: string): Promise<readonly PhoneConnectionRecord[]>
  /** Gives up these phone connections, or all, so that another instance can claim them. */
  releaseLines(instanceId: string, ids: readonly string[] | null): Promise<void>
  /** Disables the enabled phone connections. Returns their ids. */
  disableAll(organizationId: string, at: string): Promise<readonly string[]>
}

export interface PhoneNumberRecord extends Readonly<PhoneNumber>, ResourceRecord {}

export interface PhoneNumberFilter {
  readonly search?: string | undefined
  readonly agentId?: string | undefined
  readonly phoneConnectionId?: string | undefined
}

export interface PhoneNumberStore
  extends ResourceStore<PhoneNumberRecord, PhoneNumberFilter>,
    UpsertStore<PhoneNumberRecord> {
  /** Returns the number of a phone connection, or null if it does not exist. */
  findByNumber(phoneConnectionId: string, number: string): Promise<PhoneNumberRecord | null>
  /** Returns the enabled phone numbers of the organization that equal this number, oldest first. */
  findAllByNumber(organizationId: string, number: string): Promise<readonly PhoneNumberRecord[]>
}

/** The settings of a call, fixed when it starts. */
export interface PhoneCallSetup {
  readonly greeting: string | null
  readonly additionalInstructions: string | null
  /** A BCP 47 tag. Null or absent if it is unknown. */
  readonly language?: string | null | undefined
  /** What the agent does if a voicemail answers. Absent in calls of earlier versions, which talk. */
  readonly voicemail?: CallRequest['voicemail'] | undefined
  readonly turnDetection: PhoneTurnDetection
  readonly transferTargets: PhoneNumber['transferTargets']
}

export interface PhoneCallRecord extends Readonly<Omit<PhoneCall, 'seconds'>>, ResourceRecord {
  readonly setup: PhoneCallSetup
  /** The instance that dials or runs the call, or null if none does yet. */
  readonly instanceId: string | null
  /** Identifies the call to the instance that receives its audio, once. */
  readonly tokenHash: string | null
  /** Set when the call should end. The instance that runs it polls for this. */
  readonly endRequestedAt: string | null
  /** Keys that the instance of the call should press, or null. It polls for them like for `endRequestedAt`. */
  readonly digitsRequested: string | null
  /** The API key that made the call, or null. */
  readonly apiKeyId: string | null
}

export type PhoneCallFilter = Readonly<{
  agentId?: string | undefined
  conversationId?: string | undefined
  phoneNumberId?: string | undefined
  phoneConnectionId?: string | undefined
  direction?: PhoneCallListQuery['Direction']
  state?: PhoneCallListQuery['State']
  endReason?: PhoneCallListQuery['EndReason']
  from?: string | undefined
  to?: string | undefined
  endUserId?: string | undefined
  externalUserId?: string | undefined
}>

/** The sums of the calls of one bucket, direction and end reason. */
export interface PhoneCallSums {
  /** The index of the bucket. */
  readonly bucket: number
  readonly direction: PhoneCall['direction']
  /** Null if the calls have not ended. */
  readonly endReason: PhoneCallEndReason | null
  readonly calls: number
  readonly answered: number
  /** The duration of the answered calls that have ended. */
  readonly seconds: number
}

export interface PhoneCallEnd {
  readonly reason: PhoneCallEndReason
  readonly detail: string | null
  readonly at: string
  /** When the call was answered, if the row does not say so yet. */
  readonly answeredAt?: string | null
}

/** Open calls that no instance will end. */
export type LostCalls =
  | { readonly kind: 'of_dead_instances'; readonly leaseSeconds: number }
  /** Of a live instance: those that are active since before `activeBefore`, or ring since before `ringingBefore`. */
  | {
      readonly kind: 'of_instance'
      readonly instanceId: string
      readonly activeBefore: string
      readonly ringingBefore: string
    }
  /** Those that are queued since before `queuedBefore`, of SIP accounts or of carriers. */
  | { readonly kind: 'undialed'; readonly queuedBefore: string; readonly isSip: boolean }

export interface PhoneCallStore
  extends Pick<ResourceStore<PhoneCallRecord, PhoneCallFilter>, 'list' | 'find' | 'findLocked'> {
  /** Returns `duplicate` if the call of the provider is stored already. */
  insert(record: PhoneCallRecord): Promise<WriteOutcome>
  findByProviderId(phoneConnectionId: string, providerCallId: string): Promise<PhoneCallRecord | null>
  countOpen(phoneConnectionId: string): Promise<number>
  /** Returns the sums of the calls that were created between the bounds of the buckets. */
  sums(
    organizationId: string,
    bounds: readonly string[],
    filter: Pick<PhoneCallFilter, 'agentId' | 'phoneNumberId' | 'phoneConnectionId' | 'direction'>,
  ): Promise<readonly PhoneCallSums[]>
  /** Returns when the outgoing calls since this time were created, oldest first, up to `limit`. */
  outgoingSince(phoneConnectionId: string, since: string, limit: number): Promise<readonly string[]>
  /**
   * Claims queued calls for this instance. Organizations take turns, and each starts with its oldest call. SIP calls are
   * claimed only if this instance has claimed their line.
   */
  claimQueued(claim: {
    readonly instanceId: string
    readonly at: string
    readonly limit: number
    readonly perOrganization: number
    readonly exceptOrganizations: readonly string[]
    /** The phone connections whose SIP lines can dial. */
    readonly lines: readonly string[]
  }): Promise<readonly PhoneCallRecord[]>
  /** Consumes the token, and makes this instance run the call. Returns null if the token is unknown or used. */
  claimAudio(tokenHash: string, instanceId: string, at: string): Promise<PhoneCallRecord | null>
  /** Changes a call that has not ended. Returns null if it has ended. */
  change(
    id: string,
    changes: Partial<
      Pick<
        PhoneCallRecord,
        | 'state'
        | 'providerCallId'
        | 'conversationId'
        | 'realtimeSessionId'
        | 'endUserId'
        | 'answeredAt'
        | 'tokenHash'
      >
    >,
    at: string,
  ): Promise<PhoneCallRecord | null>
  /** Ends a call, or only if the instance `onlyOf` runs it. Returns null if it has ended already. */
  end(id: string, end: PhoneCallEnd, onlyOf: string | null): Promise<PhoneCallRecord | null>
  /**
   * Requests the end of the open calls of an organization, or of one of them. Queued calls end at once. Returns
   * the number of affected calls.
   */
  requestEnd(organizationId: string, id: string | null, at: string): Promise<number>
  /** Called when a conversation is deleted. Removes the other party's number and the instructions. */
  forgetConversation(conversationId: string, at: string): Promise<void>
  /** Returns the ids of the open calls that this instance dials or runs. */
  runningOn(instanceId: string): Promise<readonly string[]>
  /** Adds keys to press in an active call. Returns false if it is not active, or if more than `most` keys would wait. */
  requestDigits(organizationId: string, id: string, digits: string, most: number): Promise<boolean>
  /** Removes and returns the keys to press in the call, or null if there are none. */
  takeDigits(id: string): Promise<string | null>
  /** Returns the open calls of this instance whose end or keys were requested. */
  requested(instanceId: string): Promise<readonly PhoneCallRecord[]>
  /** Ends one lost call, except those with these ids. Returns null if there is none. */
  endLost(options: {
    readonly lost: LostCalls
    readonly except: readonly string[]
    readonly end: PhoneCallEnd
  }): Promise<PhoneCallRecord | null>
}
