import { Accordion, Alert, Badge, Button, Group, Loader, Select, Stack, Text, Title } from '@mantine/core'
import type { AgentTestOutcome, AgentTestResult, AgentTestRunSummary } from '@parley/sdk'
import { IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useConsole } from '../../../data/console-context'
import { formatMilliseconds } from '../../../data/format-duration'
import { useChange } from '../../../data/use-change'
import { ErrorNotice } from '../../../parts/error-notice'
import { Timestamp } from '../../../parts/timestamp'
import { withIndex } from '../../../parts/with-index'
import { actorLabel } from '../history/use-revisions'
import styles from './test-results.module.css'
import { useTestRun } from './use-tests'
import { ChangeBadge, isNewlyFailing, isNewlyPassing, VerdictBadge } from './verdict-badge'

interface TestResultsProps {
  readonly runs: readonly AgentTestRunSummary[]
  readonly isReadOnly: boolean
}

/** The results of a run: the latest one, or an earlier one that the user selects. */
export function TestResults({ runs, isReadOnly }: TestResultsProps) {
  const [selected, setSelected] = useState<string | null>(null)
  const run = runs.find(({ id }) => id === selected) ?? runs[0]
  if (run === undefined) return null
  return (
    <Stack component="section" aria-label="Results" gap="sm" mt="md">
      <Group justify="space-between" align="center">
        <Title order={2} fz="1rem">
          Results
        </Title>
        {runs.length > 1 && (
          <Select
            aria-label="Run"
            size="xs"
            w="17rem"
            maw="100%"
            allowDeselect={false}
            data={runs.map((each, index) => ({ value: each.id, label: runLabel(each, index === 0) }))}
            value={run.id}
            onChange={(id) => setSelected(id === runs[0]?.id ? null : id)}
          />
        )}
      </Group>
      <RunSummary run={run} isReadOnly={isReadOnly} />
      <RunDetails key={run.id} run={run} />
    </Stack>
  )
}

const started = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const runLabel = ({ createdAt, results }: AgentTestRunSummary, isLatest: boolean) =>
  `${started.format(new Date(createdAt))}, ${count(results, 'passed')}/${results.length}${isLatest ? ' (latest)' : ''}`

const count = (results: readonly AgentTestOutcome[], verdict: AgentTestOutcome['verdict']) =>
  results.filter((result) => result.verdict === verdict).length

function RunSummary({
  run,
  isReadOnly,
}: {
  readonly run: AgentTestRunSummary
  readonly isReadOnly: boolean
}) {
  const { parley } = useConsole()
  const { results, testCount, state, actor, createdAt, failure } = run
  const stop = useChange({
    change: async () => parley.agentTestRuns.stop(run.agentId, run.id),
    changes: ['AgentTestRun'],
  })
  const [failing, passing] = [results.filter(isNewlyFailing).length, results.filter(isNewlyPassing).length]
  return (
    <>
      <Group gap="6px 12px" role="status">
        {state === 'running' && <Loader size="xs" aria-label="Running" />}
        <Text size="sm" fw={500}>
          {summarize(run)}
        </Text>
        {failing > 0 && (
          <Badge variant="outline" color="red" fw={500}>
            {failing} newly failing
          </Badge>
        )}
        {passing > 0 && (
          <Badge variant="outline" color="green" fw={500}>
            {passing} newly passing
          </Badge>
        )}
        <Text size="sm" c="dimmed" component="div">
          {actorLabel(actor)}, <Timestamp at={createdAt} />
        </Text>
        {state === 'running' && !isReadOnly && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            loading={stop.isPending}
            onClick={() => stop.mutate(undefined)}
          >
            Stop
          </Button>
        )}
      </Group>
      {failure !== null && <Alert color="orange">{failure}</Alert>}
      {state === 'stopped' && results.length < testCount && (
        <Text size="sm" c="dimmed">
          The run was stopped before all tests had a result.
        </Text>
      )}
    </>
  )
}

function summarize({ state, results, testCount }: AgentTestRunSummary): string {
  const parts = [
    `${count(results, 'passed')} of ${testCount} passed`,
    ...(count(results, 'failed') > 0 ? [`${count(results, 'failed')} failed`] : []),
    ...(count(results, 'not_run') > 0 ? [`${count(results, 'not_run')} not run`] : []),
  ]
  return state === 'running' ? `Running: ${results.length} of ${testCount} done` : parts.join(', ')
}

/** Tests that did not pass come first. */
const urgency = { failed: 0, not_run: 1, passed: 2 } as const

function RunDetails({ run }: { readonly run: AgentTestRunSummary }) {
  const details = useTestRun(run)
  if (details.error !== null)
    return <ErrorNotice error={details.error} onRetry={() => void details.refetch()} />
  const results = [...(details.data?.results ?? [])].sort(
    (one, other) => urgency[one.verdict] - urgency[other.verdict],
  )
  if (results.length === 0) return null
  return (
    <Accordion
      variant="contained"
      multiple
      order={3}
      styles={{ item: { backgroundColor: 'var(--parley-card)' } }}
    >
      {results.map((result) => (
        <Accordion.Item key={keyOf(result)} value={keyOf(result)}>
          <Accordion.Control>
            <Group gap="6px 10px">
              <VerdictBadge verdict={result.verdict} />
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {result.name}
              </Text>
              <ChangeBadge outcome={result} />
              <Text size="xs" c="dimmed" data-figures>
                {result.repetitions > 1 && `${result.passed} of ${result.repetitions} passed, `}
                {formatMilliseconds(result.durationMilliseconds)}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <ResultDetails result={result} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

/** Part of an element's id, which has no spaces. */
const keyOf = ({ testId, name }: AgentTestOutcome) => `${testId}-${encodeURIComponent(name)}`

function ResultDetails({ result: { reason, unmet, transcript } }: { readonly result: AgentTestResult }) {
  return (
    <Stack gap="sm">
      {reason !== null && <Text size="sm">{reason}</Text>}
      {unmet.length > 0 && (
        <dl className={styles.unmet} aria-label="Expectations that were not met">
          {withIndex(unmet).map(({ item: { expectation, expected, actual }, index }) => (
            <div key={index}>
              <dt>{expectation}</dt>
              <dd>Expected: {expected}</dd>
              <dd>Actual: {actual}</dd>
            </div>
          ))}
        </dl>
      )}
      {transcript.length > 0 && (
        <ol className={styles.transcript} aria-label="Transcript">
          {withIndex(transcript).map(({ item, index }) => (
            <TranscriptLine key={index} line={item} />
          ))}
        </ol>
      )}
      {reason === null && unmet.length === 0 && (
        <Text size="sm" c="dimmed">
          All expectations were met.
        </Text>
      )}
    </Stack>
  )
}

/** A line begins with its speaker. */
function TranscriptLine({ line }: { readonly line: string }) {
  const [, speaker = '', text = line] = /^(\w+):\s+(.*)$/s.exec(line) ?? []
  return (
    <li>
      <span>{speaker}</span>
      <span>{text}</span>
    </li>
  )
}
