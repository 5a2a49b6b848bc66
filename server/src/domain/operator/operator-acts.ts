import { createKey, deleteKey, listKeys } from './api-keys.js'
import type { Operator, OperatorWorld } from './operator-act.js'
import { createOrganization, listOrganizations } from './organizations.js'

interface CallableAct {
  readonly name: string
  perform(world: OperatorWorld, operator: Operator, input: unknown): Promise<unknown>
}

/** Everything that the operator can do to an installation, by name. */
export const operatorActs: ReadonlyMap<string, CallableAct> = new Map(
  [listOrganizations, createOrganization, listKeys, createKey, deleteKey].map((act) => [act.name, act]),
)
