import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { DomainError, invalidRequest, notFound } from '../../../domain/domain-error.js'
import { fieldErrorsOf } from '../../../domain/field-path.js'
import { findUnstorable } from './storable.js'

/** Checks a part of a request against its schema. An id that cannot be one names nothing: 404, like an unknown one. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const refuse = (error: DomainError) => ({ error: httpPart === 'params' ? notFound('resource') : error })
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return (data: unknown) => {
    const unstorable = findUnstorable(data)
    if (unstorable) return refuse(invalidRequest([unstorable]))
    // Fastify hands over null where there is no body.
    if (httpPart === 'body' && data === null)
      return refuse(new DomainError('InvalidRequest', 'The request needs a JSON body.'))
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    return refuse(invalidRequest(fieldErrorsOf(result.error, names)))
  }
}
