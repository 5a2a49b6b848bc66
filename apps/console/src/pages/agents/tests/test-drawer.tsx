import { Anchor, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type Agent, type AgentTest, ApiError } from '@parley/sdk'
import { IconDownload } from '@tabler/icons-react'
import { useRef } from 'react'
import { useConsole } from '../../../data/console-context'
import { useDraftForm } from '../../../data/use-draft-form'
import { DeleteResource } from '../../../parts/delete-button'
import { FormDrawer } from '../../../parts/form-drawer'
import { saveFile } from '../../../parts/save-file'

interface TestDraft {
  readonly name: string
  readonly definition: string
}

interface TestDrawerProps {
  readonly agent: Pick<Agent, 'id' | 'name' | 'externalId' | 'exampleQuestions'>
  /** Null for a new test. */
  readonly test: AgentTest | null
  /** The first text of a new test. */
  readonly start?: TestDraft
  readonly isReadOnly: boolean
  readonly onClose: () => void
  readonly onSaved: (saved: AgentTest) => void
}

/** Passes with any answer, so that a first run works. A JSON string is valid YAML. */
const exampleFor = ({ exampleQuestions: [question = 'What can you do?'] }: TestDrawerProps['agent']) => ({
  name: '',
  definition: `tests:
  - name: answers the question
    turns:
      - user: ${JSON.stringify(question)}
        expect:
          # Replace this pattern with words that the answer must contain.
          - says: /\\w/
`,
})

/** The editor of tests, in the format of test files. */
export function TestDrawer({
  agent,
  test,
  start = exampleFor(agent),
  isReadOnly,
  onClose,
  onSaved,
}: TestDrawerProps) {
  const { parley } = useConsole()
  const text = useRef<HTMLTextAreaElement>(null)
  const { fields, drawer } = useDraftForm<TestDraft, AgentTest>({
    start: test === null ? start : { name: test.name, definition: test.definition },
    errorsIn: ({ name, definition }) => ({
      ...(name.trim() === '' && { name: 'Name is required' }),
      ...(definition.trim() === '' && { definition: 'A test is required' }),
    }),
    save: (draft) =>
      test === null
        ? parley.agentTests.create(agent.id, draft)
        : parley.agentTests.replace(agent.id, test.id, draft),
    resource: 'AgentTest',
    done: ({ name }) => `${name} saved.`,
    onDone: onSaved,
  })
  const { draft, errors, onChange } = fields
  const wrong = definitionErrors(drawer.error)
  return (
    <FormDrawer
      {...drawer}
      title={test?.name ?? 'New test'}
      action={test === null ? 'Create test' : 'Save changes'}
      isReadOnly={isReadOnly}
      onClose={onClose}
      error={wrong.length > 0 ? null : drawer.error}
    >
      <TextInput
        label="Name"
        required
        value={draft.name}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        error={errors.name}
        readOnly={isReadOnly}
        data-autofocus
      />
      <Textarea
        ref={text}
        label="Tests"
        description="YAML or JSON, as in test files. One definition can have several tests."
        autosize
        minRows={14}
        maxRows={28}
        value={draft.definition}
        onChange={({ currentTarget: { value } }) => onChange({ definition: value })}
        error={wrong.length > 0 ? `${wrong.length} to fix` : errors.definition}
        readOnly={isReadOnly}
        spellCheck={false}
        styles={{
          input: {
            color: 'var(--mantine-color-text)',
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: '0.8125rem',
          },
        }}
      />
      {wrong.length > 0 && (
        <div role="alert" aria-label="Errors in the tests">
          <Stack component="ul" gap={4} m={0} pl="md">
            {wrong.map(({ line, column, message }) => (
              <Text
                key={`${line}:${column}:${message}`}
                component="li"
                size="sm"
                c="var(--mantine-color-error)"
              >
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  onClick={() => text.current && selectLine(text.current, line)}
                >
                  Line {line}
                </Anchor>
                : {message}
              </Text>
            ))}
          </Stack>
        </div>
      )}
      {test !== null && (
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconDownload size={16} />}
            onClick={() => saveFile(fileName(draft), new Blob([fileText(agent, draft)]))}
          >
            Download for parley test
          </Button>
          {!isReadOnly && (
            <DeleteResource
              action="Delete test"
              question={`Delete ${test.name}?`}
              resource="AgentTest"
              remove={() => parley.agentTests.delete(test.agentId, test.id)}
              done={`${test.name} deleted.`}
              onDeleted={onClose}
            >
              The results of earlier runs are kept.
            </DeleteResource>
          )}
        </Group>
      )}
    </FormDrawer>
  )
}

interface DefinitionError {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Returns the errors that have a position in the definition. */
function definitionErrors(error: unknown): readonly DefinitionError[] {
  if (!(error instanceof ApiError)) return []
  return error.errors.flatMap(({ message }) => {
    const [, line, column, text] = /line (\d+), column (\d+): (.*)$/s.exec(message) ?? []
    return text === undefined ? [] : [{ line: Number(line), column: Number(column), message: text }]
  })
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n')
  const from = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  area.focus()
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0))
}

const fileName = ({ name }: TestDraft) =>
  `${name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.test.yaml`

/** A file names its agent. The service does not need that. */
function fileText({ externalId, name }: TestDrawerProps['agent'], { definition }: TestDraft): string {
  const isNamed = /^(?:agent|["{])/m.test(definition)
  return isNamed ? definition : `agent: ${JSON.stringify(externalId ?? name)}\n${definition}`
}
