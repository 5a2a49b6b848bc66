import { createKey, deleteKey, listKeys } from './api-keys.js'
import { noteRestore } from './backup.js'
import type { Operator, OperatorWorld } from './operator-act.js'
import {
  beginDeletion,
  beginExport,
  continueDeletion,
  createOrganization,
  listOrganizations,
  readExportPage,
} from './organizations.js'
import { createOwnerLink, releasePerson, unlockPerson } from './people.js'
import { readRetiredKeys, rotateSecret } from './rotate-secret.js'
import { readStatus } from './status.js'

interface CallableAct {
  readonly name: string
  perform(world: OperatorWorld, operator: Operator, input: unknown): Promise<unknown>
}

export const operatorActs: ReadonlyMap<string, CallableAct> = new Map(
  [
    listOrganizations,
    createOrganization,
    listKeys,
    createKey,
    deleteKey,
    createOwnerLink,
    releasePerson,
    unlockPerson,
    readStatus,
    rotateSecret,
    noteRestore,
    readRetiredKeys,
    beginExport,
    readExportPage,
    beginDeletion,
    continueDeletion,
  ].map((act) => [act.name, act]),
)
