import { Accordion, Code, List, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'

/** Help for choosing a connection, collapsed at first. */
export function ConnectionGuide() {
  return (
    <Accordion variant="contained" chevronPosition="right" bg="var(--parley-card)" radius="md">
      <Accordion.Item value="guide">
        <Accordion.Control icon={<IconInfoCircle size={18} />}>
          <Text size="sm">Which connection do I need?</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <List size="sm" spacing="xs">
            <List.Item>
              <strong>Built-in</strong> works without an account and sends no data elsewhere. It uses a small
              offline model for testing. To use speech with any text model, choose a text model connection.
            </List.Item>
            <List.Item>
              <strong>OpenAI</strong>: create an API key at platform.openai.com and paste it into a new
              connection. Enter a text model such as <Code>gpt-5-mini</Code>. Voice uses the service’s default
              model unless you enter a realtime model.
            </List.Item>
            <List.Item>
              <strong>Azure OpenAI</strong>: enter the endpoint of your resource, an API key, and the names of
              your deployments as models.
            </List.Item>
            <List.Item>
              <strong>Anthropic</strong>: create an API key at platform.claude.com and enter a text model.
              Agents answer in text only.
            </List.Item>
            <List.Item>
              <strong>OpenAI-compatible</strong>: enter the base URL, which often ends in <Code>/v1</Code>, an
              API key if the provider requires one, and the model names. The operator must allow addresses in
              private networks in <Code>PARLEY_ALLOWED_PRIVATE_HOSTS</Code>.
            </List.Item>
          </List>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
