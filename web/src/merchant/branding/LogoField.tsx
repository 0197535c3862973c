// The logo: chosen from a file, kept at once, and taken away by a press.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ACCEPTED_PICTURES, removePicture, uploadPicture } from '../../app/pictures.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { BrandLogo } from '../../payer/branding/Brand.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { BRANDING_KEY, type BrandingAnswer, type BrandingSettings } from './brandingApi.ts';

export function LogoField({ branding, handle }: { branding: BrandingSettings; handle: string }) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const change = useMutation({
    mutationFn: async (file: File | null) => (file ? uploadPicture('logo', file) : (await removePicture('logo')).url),
    onSuccess: (url) => {
      const now = client.getQueryData<BrandingAnswer>(BRANDING_KEY);
      if (now) takeAnswer<BrandingAnswer>(client, BRANDING_KEY, { branding: { ...now.branding, logo_url: url } });
      void client.invalidateQueries({ queryKey: BRANDING_KEY });
    },
  });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Logo</legend>
      <div className="flex flex-wrap items-center gap-3">
        <span className="inline-flex size-12 items-center justify-center">
          <BrandLogo branding={branding} handle={handle} />
        </span>
        <Button disabled={change.isPending} onClick={() => input.current?.click()}>
          {change.isPending ? 'One moment…' : branding.logo_url ? 'Replace' : 'Upload a logo'}
        </Button>
        {branding.logo_url && (
          <Button kind="plain" disabled={change.isPending} onClick={() => change.mutate(null)}>
            Remove
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        name="logo"
        aria-label="Logo file"
        tabIndex={-1}
        accept={ACCEPTED_PICTURES}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) change.mutate(file);
          event.target.value = '';
        }}
      />
      <p className="text-sm text-muted">PNG, JPEG or WebP, up to 2 MB. It stands on white, in a square.</p>
      {change.isError && <ErrorNote>{change.error.message}</ErrorNote>}
    </fieldset>
  );
}
