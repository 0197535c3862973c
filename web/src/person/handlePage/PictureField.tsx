// The picture of one's page: chosen from the device, kept at once, beside what else is typed.
import { type ChangeEvent, useId, useRef } from 'react';
import { PICTURE_PIXELS, PICTURE_UPLOAD_BYTES } from '../../../../src/domain/picture.ts';
import type { OwnHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { useChangePicture } from './ownPageApi.ts';

export function PictureField({ page: { picture, handle } }: { page: Pick<OwnHandlePage, 'picture' | 'handle'> }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const change = useChangePicture();
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) change.mutate(file);
    target.value = '';
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Picture
      </label>
      <div className="flex flex-wrap items-center gap-4">
        {picture ? (
          <img
            src={picture}
            alt="What visitors see"
            width={80}
            height={80}
            className="size-20 rounded-full bg-soft object-cover"
          />
        ) : (
          <Avatar name={handle} size="huge" />
        )}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          onChange={choose}
          disabled={change.isPending}
          className="sr-only"
        />
        <Button disabled={change.isPending} onClick={() => input.current?.click()}>
          {change.isPending ? 'One moment…' : picture ? 'Change' : 'Choose a picture'}
        </Button>
        {picture && (
          <Button kind="plain" disabled={change.isPending} onClick={() => change.mutate(null)}>
            Remove
          </Button>
        )}
      </div>
      <p className="text-sm text-muted">
        PNG, JPEG or WebP, up to {PICTURE_UPLOAD_BYTES / 1024 / 1024} MB and {PICTURE_PIXELS / 1_000_000} million
        pixels. It’s cut to a square.
      </p>
      {change.isError && <ErrorNote>{change.error.message}</ErrorNote>}
    </div>
  );
}
