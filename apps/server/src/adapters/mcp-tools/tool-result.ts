import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { ToolOutcome } from '../../ports/tool-executor.js'
import { failed, succeeded } from '../secret-redaction/outcomes.js'

/** Converts the result of a server's tool to text for a model. */
export function outcomeOfResult(result: CallToolResult): ToolOutcome {
  const parts = result.content.map(textOfPart)
  const hasText = result.content.some((part) => part.type === 'text' && part.text !== '')
  if (!hasText && result.structuredContent !== undefined) parts.push(JSON.stringify(result.structuredContent))
  const text = parts.filter((part) => part !== '').join('\n')
  const output = text === '' ? 'The tool answered with no content.' : text
  return result.isError === true ? failed(output) : succeeded(output)
}

function textOfPart(part: ContentBlock): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.mimeType}, ${bytesIn(part.data)} bytes, omitted]`
    case 'resource_link':
      return `[resource: ${[part.title ?? part.name, part.uri, part.mimeType].filter(Boolean).join(', ')}]`
    case 'resource':
      return textOfResource(part.resource)
  }
}

/** An embedded text resource is often the entire result. */
function textOfResource(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): string {
  const name = [resource.uri, resource.mimeType].filter(Boolean).join(', ')
  return 'text' in resource
    ? `[resource: ${name}]\n${resource.text}`
    : `[resource: ${name}, ${bytesIn(resource.blob)} bytes, omitted]`
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}
