/** How to find the rows of an organization in one table. */
export interface OrganizationTable {
  readonly name: string
  /** The columns of the primary key with their types, in order. */
  readonly key: Readonly<
    Record<string, 'uuid' | 'text' | 'integer' | 'bigint' | 'date' | 'timestamptz' | 'numeric'>
  >
  /**
   * The column that refers to the organization through another table. If absent, the table has
   * `organization_id`.
   */
  readonly by?: { readonly column: string; readonly table: string; readonly target?: string }
  /** Columns that are excluded from exports: secrets, their hashes, and derived data. */
  readonly hidden?: readonly string[]
  /** The number of rows that are read or removed per batch. Defaults to 500. */
  readonly atATime?: number
  readonly isExported?: false
  /**
   * Contains rows that several organizations share. They are exported, and `closeAccess` removes those that
   * belong to no other organization.
   */
  readonly isShared?: true
}

const id = { id: 'uuid' } as const
const ofFile = { column: 'file_id', table: 'temporary_file' } as const
const ofConversation = { column: 'conversation_id', table: 'conversation' } as const

/**
 * Every table with data of an organization, in the order in which rows can be removed: tables that refer to
 * others come first. A test compares the list with the schema.
 */
export const organizationTables: readonly OrganizationTable[] = [
  { name: 'webhook_event', key: { position: 'bigint' } },
  { name: 'webhook_delivery', key: id },
  { name: 'webhook', key: id, hidden: ['sealed_secret', 'sealed_previous_secret'] },
  {
    name: 'idempotency_key',
    key: { key: 'text' },
    // The stored response to a request that creates a key contains the key.
    hidden: ['fingerprint', 'answer'],
  },
  { name: 'approval', key: id },
  {
    name: 'turn_event',
    key: { turn_id: 'uuid', sequence: 'integer' },
    by: { column: 'turn_id', table: 'turn' },
  },
  { name: 'turn', key: id },
  {
    name: 'realtime_exchange',
    key: { session_id: 'uuid', number: 'integer' },
    by: { column: 'session_id', table: 'realtime_session' },
  },
  { name: 'realtime_session_figures', key: { session_id: 'uuid' } },
  { name: 'realtime_session', key: id, hidden: ['token_hash', 'setup'] },
  { name: 'phone_call', key: id, hidden: ['token_hash', 'setup', 'digits_requested'] },
  { name: 'phone_number', key: id },
  { name: 'phone_connection', key: id, hidden: ['sealed_secret', 'sealed_webhook_secret'] },
  // Removing turns and sessions changes these two tables, so they come later.
  { name: 'usage_reservation', key: { source_id: 'uuid', agent_id: 'uuid' }, isExported: false },
  { name: 'running_session_count', key: { instance_id: 'uuid', shard: 'integer' }, isExported: false },
  { name: 'reserved_amount', key: { subject_id: 'uuid', shard: 'integer' }, isExported: false },
  { name: 'conversation_summary', key: { conversation_id: 'uuid' }, by: ofConversation },
  { name: 'conversation_file', key: { conversation_id: 'uuid', file_id: 'uuid' }, by: ofConversation },
  {
    name: 'temporary_file_passage',
    key: { file_id: 'uuid', position: 'integer' },
    by: ofFile,
    hidden: ['words'],
  },
  { name: 'temporary_file_chunk', key: { file_id: 'uuid', position: 'integer' }, by: ofFile, atATime: 4 },
  { name: 'temporary_file', key: id },
  { name: 'message', key: id },
  { name: 'task', key: id },
  { name: 'memory_plan', key: { conversation_id: 'uuid' }, isExported: false },
  { name: 'conversation', key: id },
  { name: 'end_user_fact', key: id },
  { name: 'end_user', key: id },
  {
    name: 'mcp_listing',
    key: { agent_id: 'uuid', tool_name: 'text' },
    by: { column: 'agent_id', table: 'agent' },
  },
  {
    name: 'mcp_authorization',
    key: id,
    hidden: ['sealed_client_secret', 'state_hash', 'sealed_start', 'sealed_grant'],
  },
  {
    name: 'mcp_grant_token',
    key: { hash: 'text' },
    by: { column: 'grant_id', table: 'mcp_grant' },
    isExported: false,
  },
  { name: 'mcp_grant', key: id, hidden: ['client_hash', 'code_hash', 'code_challenge'] },
  {
    name: 'agent_test_result',
    key: { run_id: 'uuid', position: 'integer' },
    by: { column: 'run_id', table: 'agent_test_run' },
  },
  { name: 'agent_test_run', key: id },
  { name: 'agent_test', key: id },
  { name: 'agent_revision', key: { agent_id: 'uuid', number: 'integer' }, hidden: ['tool_secrets'] },
  { name: 'agent', key: id, hidden: ['tool_secrets'] },
  { name: 'connection', key: id, hidden: ['sealed_api_key'] },
  {
    name: 'budget_crossing',
    key: { budget_id: 'uuid', kind: 'text' },
    by: { column: 'budget_id', table: 'budget' },
  },
  { name: 'budget', key: id },
  {
    name: 'own_price',
    key: { kind: 'text', model: 'text', above_input_tokens: 'integer', valid_from: 'timestamptz' },
  },
  { name: 'usage_record', key: { source_id: 'uuid', item: 'text' } },
  {
    name: 'usage_rollup',
    key: {
      day: 'date',
      agent_id: 'uuid',
      api_key_id: 'uuid',
      connection_id: 'uuid',
      model: 'text',
      channel: 'text',
    },
  },
  {
    name: 'usage_rollup_part',
    key: {
      day: 'date',
      agent_id: 'uuid',
      api_key_id: 'uuid',
      connection_id: 'uuid',
      model: 'text',
      channel: 'text',
      shard: 'integer',
    },
  },
  { name: 'usage_counter', key: { subject_id: 'uuid', period: 'text', starts_on: 'date' } },
  {
    name: 'usage_counter_part',
    key: { subject_id: 'uuid', period: 'text', starts_on: 'date', shard: 'integer' },
  },
  { name: 'invitation', key: id, hidden: ['token_hash'] },
  {
    name: 'person',
    key: id,
    by: { column: 'id', table: 'member', target: 'person_id' },
    hidden: ['password_hash', 'sealed_totp', 'pending_totp', 'last_totp_step', 'recovery_hashes'],
    isShared: true,
  },
  { name: 'member', key: id },
  { name: 'api_key', key: id, hidden: ['hash'] },
  { name: 'stored_amount', key: { kind: 'text', shard: 'integer' } },
  { name: 'audit_record', key: id },
  { name: 'audit_chain', key: { organization_id: 'uuid' } },
  { name: 'audit_changeover', key: { organization_id: 'uuid' } },
]
