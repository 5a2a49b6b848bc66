import { z } from 'zod'
import { delegatedScopes, type ScopeName, scopes } from './scope-list.js'

export type Scope = ScopeName

export const Scope = z.enum([...scopes, ...delegatedScopes]).meta({
  id: 'Scope',
  description:
    'The scopes of a key. Write includes read. `approval:delegate` lets an MCP client decide on tool calls, which people normally do. No role includes it. An owner or the operator grants it to a key explicitly.',
})
