// The workspace's face: name, logo, accent colour and support address, with a preview of the checkout that follows every key.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Accent, accentOf, readAccent } from '../../../../src/domain/accent.ts';
import { BRAND_NAME_LENGTH, readBrandName, readSupport, supportLabel } from '../../../../src/domain/branding.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { Loaded } from '../business/Loaded.tsx';
import { BrandPreview } from './BrandPreview.tsx';
import { BRANDING_KEY, type BrandingSettings, saveBranding, useBranding } from './brandingApi.ts';
import { LogoField } from './LogoField.tsx';

export function BrandingPage() {
  return (
    <BusinessShell door="branding" title="Branding">
      {(account) => <OneBranding account={account} />}
    </BusinessShell>
  );
}

function OneBranding({ account }: { account: OwnAccount }) {
  return (
    <Loaded query={useBranding()} thing={['branding', 'branding']} all="/workspace">
      {(branding) => <BrandingForm branding={branding} account={account} />}
    </Loaded>
  );
}

/** A picker cannot be empty; this is the colour of the pages without one. */
const USUAL = '#0b5d3b';

function BrandingForm({ branding, account }: { branding: BrandingSettings; account: OwnAccount }) {
  const client = useQueryClient();
  const [name, setName] = useState(branding.name ?? '');
  const [colour, setColour] = useState(branding.accent?.chosen ?? '');
  const [support, setSupport] = useState(branding.support ?? '');
  const save = useMutation({
    mutationFn: () => saveBranding({ name: name || null, accent: colour || null, support: support || null }),
    onSuccess: (answer) => {
      takeAnswer(client, BRANDING_KEY, answer);
      setName(answer.branding.name ?? '');
      setColour(answer.branding.accent?.chosen ?? '');
      setSupport(answer.branding.support ?? '');
    },
  });
  const readName = readBrandName(name);
  const readHelp = readSupport(support);
  const hex = readAccent(colour.trim());
  const accent = hex === null ? null : accentOf(hex);
  const problems = {
    name: 'problem' in readName ? NAME_WORDS[readName.problem] : null,
    colour: colour.trim() !== '' && hex === null ? 'Enter a color like #0b5d3b.' : null,
    support: readHelp === 'invalid' ? 'Enter an e-mail address, or a URL that begins with https://.' : null,
  };
  const isWrong = Object.values(problems).some((problem) => problem !== null);
  const shown = {
    name: 'name' in readName ? readName.name : null,
    logo: branding.logo_url,
    accent,
    support: readHelp !== 'invalid' && readHelp.support ? supportLabel(readHelp.support) : null,
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) save.mutate();
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title="What buyers see">
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          <Field
            label="Name"
            name="name"
            value={name}
            maxLength={BRAND_NAME_LENGTH * 2}
            error={problems.name}
            hint={`Shown above @${account.handle}, which stays visible.`}
            onChange={(event) => change(setName)(event.target.value)}
          />
          <LogoField branding={branding} handle={account.handle} />
          <div className="flex items-start gap-3">
            <Field
              label="Accent color"
              name="accent"
              className="grow"
              value={colour}
              maxLength={20}
              placeholder={USUAL}
              error={problems.colour}
              hint={<AccentHint accent={accent} />}
              onChange={(event) => change(setColour)(event.target.value)}
            />
            <input
              type="color"
              aria-label="Pick the accent color"
              value={hex ?? USUAL}
              onChange={(event) => change(setColour)(event.target.value)}
              className="mt-6 h-12 w-14 shrink-0 rounded-lg border border-edge bg-surface p-1"
            />
          </div>
          <Field
            label="Support address"
            name="support"
            value={support}
            maxLength={200}
            placeholder="help@example.com"
            error={problems.support}
            hint="An e-mail address or an https URL. Buyers see it below the checkout and on receipts."
            onChange={(event) => change(setSupport)(event.target.value)}
          />
          <Button
            type="submit"
            kind="filled"
            className="min-h-12! self-start max-sm:w-full"
            disabled={isWrong || save.isPending}
          >
            {save.isPending ? 'One moment…' : 'Save'}
          </Button>
          <p role="status" className="min-h-6 text-sm text-muted">
            {save.isSuccess ? 'Saved. Open checkout pages show it when they are loaded again.' : ''}
          </p>
          {save.isError && <ErrorNote>{save.error.message}</ErrorNote>}
        </form>
      </Card>
      <Card title="Preview">
        <BrandPreview shown={shown} handle={account.handle} kind={account.handle_kind ?? 'personal'} />
      </Card>
    </div>
  );
}

const NAME_WORDS = {
  too_long: `Use at most ${BRAND_NAME_LENGTH} characters.`,
  not_plain: 'Use one line of plain text, without hidden characters.',
  has_at: 'A name can’t contain @: your handle is shown beside it.',
  piled_marks: 'Use fewer marks on one letter.',
};

/** What was changed so that text can be read. */
function AccentHint({ accent }: { accent: Accent | null }) {
  if (!accent) return <>Buttons and links. Without one, pages are green.</>;
  const { chosen, light, dark } = accent;
  if (light === chosen && dark === chosen) return <>Text on it can be read on light and dark pages.</>;
  return (
    <>
      {light !== chosen && `On light pages we made your color darker so that text on it can be read: ${light}. `}
      {dark !== chosen && `On dark pages we made your color lighter so that text on it can be read: ${dark}.`}
    </>
  );
}
