import { Anchor, Code, List, Text, Title } from '@mantine/core'
import { lexer, type MarkedToken, type Token } from 'marked'
import type { ReactNode } from 'react'

/** Renders Markdown as elements, so that its content can never become markup of the page. */
export function Markdown({ text }: { readonly text: string }) {
  return <>{blocksOf(lexer(text))}</>
}

function blocksOf(tokens: readonly Token[]): ReactNode {
  return keyed(tokens).map(([key, token]) => <Block key={key} token={token as MarkedToken} />)
}

function Block({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'heading':
      return (
        <Title order={token.depth < 2 ? 2 : 3} fz={token.depth < 3 ? 'lg' : 'md'} mt="lg" mb="xs">
          {inline(token.tokens)}
        </Title>
      )
    case 'paragraph':
      return (
        <Text mb="sm" maw="48rem">
          {inline(token.tokens)}
        </Text>
      )
    case 'text':
      return <>{token.tokens === undefined ? token.text : inline(token.tokens)}</>
    case 'code':
      return (
        <Code block mb="sm">
          {token.text}
        </Code>
      )
    case 'list':
      return (
        <List type={token.ordered ? 'ordered' : 'unordered'} spacing={6} mb="sm" maw="48rem">
          {keyed(token.items).map(([key, item]) => (
            <List.Item key={key}>{blocksOf(item.tokens)}</List.Item>
          ))}
        </List>
      )
    default:
      return null
  }
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return keyed(tokens ?? []).map(([key, token]) => <Inline key={key} token={token as MarkedToken} />)
}

function Inline({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'codespan':
      return <Code>{token.text}</Code>
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'link':
      return /^https?:/.test(token.href) ? (
        <Anchor href={token.href} target="_blank" rel="noreferrer">
          {inline(token.tokens)}
        </Anchor>
      ) : (
        inline(token.tokens)
      )
    case 'br':
      return <br />
    case 'escape':
    case 'text':
      return <>{token.text}</>
    default:
      return <>{token.raw}</>
  }
}

/** Parts of a text keep their positions. */
function keyed<Piece extends { readonly raw: string }>(pieces: readonly Piece[]): [string, Piece][] {
  return pieces.map((piece, index) => [`${index}-${piece.raw.slice(0, 20)}`, piece])
}
