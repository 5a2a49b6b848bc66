import { z } from 'zod'
import { delegatedScopes, type ScopeName, scopes } from './scope-list.js'

export type Scope = ScopeName

export const Scope = z.enum([...scopes, ...delegatedScopes]).meta({
  id: 'Scope',
  description:
    'A permission of a key, role or MCP client. A write scope includes the corresponding read scope. `approval:delegate` lets an MCP client approve and reject tool calls, which is normally reserved for users. No role includes it: an owner or the operator must grant it to a key explicitly.',
})
