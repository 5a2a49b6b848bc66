/** A pseudo-random number below `max` that is the same in each run. */
const chance = (max: number, seed: number) =>
  `((hashint4((n + ${seed} * 100000000)::int) & 2147483647) % ${max})`

/** 20 agents, 5 keys, 4 models, both channels and a year: 292 000 groups, if each day had all of them. */
const groups = `
  (now() - ${chance(365 * 24 * 60 * 60, 0)} * interval '1 second') as at,
  ('00000000-0000-7000-8000-0000000a' || lpad(${chance(20, 1)}::text, 4, '0'))::uuid as agent_id,
  ('00000000-0000-7000-8000-0000000b' || lpad(${chance(5, 2)}::text, 4, '0'))::uuid as api_key_id,
  '00000000-0000-7000-8000-00000000000c'::uuid as connection_id,
  'model-' || ${chance(4, 3)} as model,
  case when ${chance(2, 4)} = 0 then 'text' else 'realtime' end as channel`

const sums = [
  ...[
    'sessions',
    'turns',
    'responses',
    'priced_responses',
    'unknown_responses',
    'tool_calls',
    'milliseconds',
  ],
  ...['audio_milliseconds', 'text_input', 'text_output', 'audio_input', 'audio_output', 'image_input'],
  ...['cached_text_input', 'cached_audio_input', 'cached_image_input', 'cache_write_text_input'],
  ...['unpriced_tokens', 'unpriced_milliseconds', 'cost'],
]

const figures = sums.map((name) => {
  if (name === 'responses' || name === 'priced_responses') return '1'
  if (name === 'cost') return '(n % 1000) * 0.000001'
  return name.endsWith('put') || name.endsWith('seconds') ? '(n % 997)' : '0'
})

const keys = 'organization_id, day, agent_id, api_key_id, connection_id, model, channel'

/** Inserts this many records into the ledger, with the sums that single inserts would have made. */
export async function fillLedger(
  run: (text: string) => Promise<unknown>,
  organizationId: string,
  records: number,
): Promise<void> {
  await run(`insert into usage_record (source_id, item, at, ${keys}, ${sums.join(', ')}, price)
    select gen_random_uuid(), 'step:' || n, at, '${organizationId}', (at at time zone 'UTC')::date,
      agent_id, api_key_id, connection_id, model, channel, ${figures.join(', ')}, null
    from (select n, ${groups} from generate_series(1, ${records}) as n) as used`)
  await run(`insert into usage_rollup (${keys}, ${sums.join(', ')})
    select ${keys}, ${sums.map((name) => `sum(${name})`).join(', ')} from usage_record group by ${keys}`)
  await run('analyze usage_record')
  await run('analyze usage_rollup')
}
