import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { useAgentDirectory, useConnectionDirectory } from '../../../data/use-directory'
import { withIndex } from '../../../parts/with-index'
import { type AgentDraft, changedFields } from '../agent-draft'
import styles from './differences.module.css'
import { fieldLabel, valueText } from './field-label'
import { diffLines, foldSame } from './line-diff'

interface DifferencesProps {
  readonly before: AgentDraft
  readonly after: AgentDraft
  /** The text if there are no differences. */
  readonly none?: string
}

/** The differences between two states of an agent, by field and line. */
export function Differences({ before, after, none = 'No differences.' }: DifferencesProps) {
  const agents = useAgentDirectory().data ?? []
  const connections = useConnectionDirectory().data ?? []
  const names = new Map([...agents, ...connections].map(({ id, name }) => [id, name]))
  const fields = changedFields(before, after)
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <section key={field} aria-label={fieldLabel(field)}>
          <Text size="sm" fw={600} mb={4}>
            {fieldLabel(field)}
          </Text>
          <TextDifference before={valueText(before, field, names)} after={valueText(after, field, names)} />
        </section>
      ))}
    </Stack>
  )
}

const signs = { same: '', removed: 'Before: ', added: 'After: ' } as const

function TextDifference({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = foldSame(diffLines(before, after))
  return (
    <ul className={styles.text}>
      {withIndex(lines).map(({ item: line, index }) =>
        typeof line === 'number' ? (
          <li key={index} className={styles.folded}>
            {line === 1 ? '1 unchanged line' : `${line} unchanged lines`}
          </li>
        ) : (
          <li key={index} className={`${styles.line} ${styles[line.kind] ?? ''}`}>
            <VisuallyHidden>{signs[line.kind]}</VisuallyHidden>
            {line.text === '' ? '\u00a0' : line.text}
          </li>
        ),
      )}
    </ul>
  )
}
