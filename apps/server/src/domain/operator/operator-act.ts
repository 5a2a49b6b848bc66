import { fieldErrorsOf, scopes } from '@parley/contract'
import type { z } from 'zod'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { Database } from '../../ports/database.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ChainKeys, Cipher, SecretKeeper } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'
import { invalidRequest } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'

/** The operator, and the dependencies of operator operations. */
export interface OperatorWorld {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly connections: Connections
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
  readonly secrets: SecretKeeper
}

/** The operator is identified by the account on the machine. */
export interface Operator {
  readonly name: string | null
}

/**
 * An operation of the operator. It works in the same way through the running service and directly on the
 * database.
 */
export interface OperatorAct<Input, Output> {
  readonly name: string
  readonly output: z.ZodType<Output>
  /** Validates the input, which may come from a socket, and performs the operation. */
  perform(world: OperatorWorld, operator: Operator, input: Input): Promise<Output>
}

export function defineAct<Schema extends z.ZodType, Output>({
  name,
  input: schema,
  output,
  run,
}: {
  readonly name: string
  readonly input: Schema
  readonly output: z.ZodType<Output>
  readonly run: (world: OperatorWorld, operator: Operator, input: z.output<Schema>) => Promise<Output>
}): OperatorAct<z.input<Schema>, Output> {
  return {
    name,
    output,
    async perform(world, operator, input) {
      const parsed = schema.safeParse(input)
      if (!parsed.success) throw invalidRequest(fieldErrorsOf(parsed.error))
      return run(world, operator, parsed.data)
    },
  }
}

/** Runs operations through the running service or directly on the database. */
export interface OperatorAccess {
  run<Input, Output>(act: OperatorAct<Input, Output>, input: Input): Promise<Output>
  /** Returns the bytes of a backup file. */
  backup(): Promise<AsyncIterable<Uint8Array>>
  close(): Promise<void>
}

/** Returns the operator as a caller with all rights in every organization. */
export function operatorCaller(organizationId: string, { name }: Operator): Caller {
  return {
    organizationId,
    actor: { type: 'operator', id: null, name },
    scopes,
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  }
}
