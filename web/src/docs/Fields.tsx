// The fields of a request or an answer: name, type, whether it may be left out, and what it means.
import { limitsOf, type OpenApi, resolve, type Schema, typeOf } from './openApi.ts';
import { Inline } from './Words.tsx';

export type Field = { name: string; schema: Schema; required: boolean; description?: string | undefined };

export function fieldsOf(document: OpenApi, schema: Schema): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties).map(([name, one]) => ({ name, schema: one, required: required.includes(name) }));
}

/** @param asked of a request, where it matters what may be left out */
export function Fields({
  document,
  title,
  fields,
  asked = false,
}: {
  document: OpenApi;
  title: string;
  fields: Field[];
  asked?: boolean;
}) {
  if (fields.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      <dl className="border-t border-line">
        {fields.map(({ name, schema, required, description }) => {
          const whole = resolve(document, schema);
          const text = description ?? schema.description ?? whole.description;
          const limits = limitsOf(whole);
          return (
            <div key={name} className="flex flex-col gap-1 border-b border-line py-2">
              <dt className="flex flex-wrap items-baseline gap-x-3 text-sm">
                <code className="font-mono font-semibold break-all">{name}</code>
                <span className="text-muted">{typeOf(document, schema)}</span>
                {limits && <span className="text-muted">{limits}</span>}
                {asked && required && <span className="font-medium text-amber">required</span>}
              </dt>
              <dd className="text-sm">
                {text && <Inline>{text}</Inline>}
                {whole.enum && <p className="text-muted break-words">One of {whole.enum.map(String).join(', ')}.</p>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
