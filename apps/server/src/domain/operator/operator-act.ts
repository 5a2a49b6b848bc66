import { fieldErrorsOf, scopes } from '@parley/contract'
import type { z } from 'zod'
import type { Database } from '../../ports/database.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ChainKeys, Cipher, SecretKeeper } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import type { Connections } from '../connections/connections.js'
import { invalidRequest } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'

/** The dependencies of operator acts, and the operator. */
export interface OperatorWorld {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly connections: Connections
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly providerOutbound: ProviderOutbound
  readonly secrets: SecretKeeper
}

/** The operator: the account on the machine. */
export interface Operator {
  readonly name: string | null
}

/** One thing that the operator can do, the same whether the service runs or not. */
export interface OperatorAct<Input, Output> {
  readonly name: string
  readonly output: z.ZodType<Output>
  /** Checks the input, which may have come over a socket, and does it. */
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

/** Runs acts, through the running service or on the database itself. */
export interface OperatorAccess {
  run<Input, Output>(act: OperatorAct<Input, Output>, input: Input): Promise<Output>
  /** The bytes of a backup, as they belong into a file. */
  backup(): Promise<AsyncIterable<Uint8Array>>
  close(): Promise<void>
}

/** The operator of the machine may do everything in every organization. */
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
