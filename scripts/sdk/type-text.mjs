// Converts JSON schema to TypeScript types, with the contract's descriptions as comments.

export const pascal = (name) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter) => letter.toUpperCase())

/** A comment with one line per sentence. */
export function comment(text, indent = '') {
  if (text === undefined || text === '') return ''
  const lines = text.split('\n').flatMap((line) => wrap(line, 108 - indent.length))
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function wrap(text, width) {
  const lines = ['']
  for (const word of text.replaceAll('*/', '* /').split(' ')) {
    const line = lines.at(-1)
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** The type of a schema's values. Components are referenced by name, and `see` is called with each. */
export function typeText(schema, see, indent = '') {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)
    see(name)
    return name
  }
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const members = schema.anyOf ?? schema.oneOf
  if (members !== undefined)
    return [...new Set(members.map((member) => typeText(member, see, indent)))].join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeText({ ...schema, type }, see, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `${grouped(typeText(schema.items ?? {}, see, indent))}[]`
    case 'object':
      return objectText(schema, see, indent)
    default:
      return 'unknown'
  }
}

const grouped = (type) => (/ \| /.test(type) && !type.startsWith('{') ? `(${type})` : type)

const literal = (value) =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)

function objectText(schema, see, indent) {
  const rest =
    typeof schema.additionalProperties === 'object'
      ? typeText(schema.additionalProperties, see, indent)
      : undefined
  if (schema.properties === undefined) return `Record<string, ${rest ?? 'unknown'}>`
  return `{\n${fieldsText(schema, see, `${indent}  `)}${rest === undefined ? '' : `${indent}  [field: string]: ${rest}\n`}${indent}}`
}

/** The fields of an object. Read-only fields that a caller may send back are optional in requests. */
function fieldsText({ properties, required = [] }, see, indent) {
  return Object.entries(properties)
    .filter(([, field]) => field.readOnly !== true)
    .map(([name, field]) => {
      const type = typeText(field, see, indent)
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
      const isRequired = required.includes(name)
      return `${comment(fieldComment(field, isRequired), indent)}${indent}${key}${isRequired ? '' : '?'}: ${type}${isRequired || type === 'unknown' ? '' : ' | undefined'}\n`
    })
    .join('')
}

function fieldComment({ description, default: fallback }, isRequired) {
  if (isRequired || fallback === undefined || fallback === null) return description
  return [description, `Default: \`${JSON.stringify(fallback)}\`.`].filter(Boolean).join(' ')
}

/** A named type: an interface, a page, a union of named members, or an alias. */
export function declaration(name, schema, see) {
  const { description, properties } = schema
  if (properties?.totalCount !== undefined && properties.items !== undefined) {
    see('Page')
    return `${comment(description)}export type ${name} = Page<${typeText(properties.items.items, see)}>\n`
  }
  const members = schema.oneOf
  if (members?.every((member) => memberName(name, member) !== undefined)) {
    const names = members.map((member) => memberName(name, member))
    const parts = members.map((member, index) => declaration(names[index], member, see))
    return `${parts.join('\n')}\n${comment(description)}export type ${name} = ${names.join(' | ')}\n`
  }
  if (schema.type === 'object' && properties !== undefined && typeof schema.additionalProperties !== 'object')
    return `${comment(description)}export interface ${name} {\n${fieldsText(schema, see, '  ')}}\n`
  return `${comment(description)}export type ${name} = ${typeText(schema, see)}\n`
}

/** Union members are distinguished by a constant and named after it. */
function memberName(name, { properties = {} }) {
  const constant = properties.kind?.const
  return constant === undefined ? undefined : `${pascal(constant)}${name}`
}
