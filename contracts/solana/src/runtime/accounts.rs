//! Accounts: who signed, whose they are, their data as a layout, creating, growing and closing them.

use core::cell::Cell;

use crate::errors::*;
use crate::runtime::addresses::SYSTEM;
use crate::runtime::calls::{find_address, invoke, rent, Call, Meta, Seed};
use crate::runtime::Context;
use crate::state::{Key, Layout};

/// An account as the loader lists it and as calls take it. An account that is listed twice has two of them, which point to the same data.
#[repr(C)]
#[derive(Clone)]
pub struct Account {
    pub key: &'static Key,
    lamports: *mut u64,
    length: Cell<u64>,
    data: *mut u8,
    owner: *mut Key,
    rent_epoch: u64,
    pub is_signer: bool,
    is_writable: bool,
    is_executable: bool,
}

/// An account to create: who pays its rent, its size, and its seeds without the bump. An empty seed changes no address.
pub struct New<'a> {
    pub payer: &'a Account,
    pub size: usize,
    pub seeds: [&'a [u8]; 3],
}

impl Account {
    /// # Safety
    /// `input` stands at an account of the loader's input.
    pub unsafe fn read(input: *mut u8, growth: usize) -> (Account, *mut u8) {
        let length = *(input.add(80) as *const u64);
        let data = input.add(88);
        let end = (data.add(length as usize + growth) as u64 + 7) & !7;
        let account = Account {
            key: &*(input.add(8) as *const Key),
            lamports: input.add(72) as *mut u64,
            length: Cell::new(length),
            data,
            owner: input.add(40) as *mut Key,
            rent_epoch: *(end as *const u64),
            is_signer: *input.add(1) != 0,
            is_writable: *input.add(2) != 0,
            is_executable: *input.add(3) != 0,
        };
        (account, (end + 8) as *mut u8)
    }

    pub fn owner(&self) -> &Key {
        unsafe { &*self.owner }
    }

    pub fn lamports(&self) -> u64 {
        unsafe { *self.lamports }
    }

    pub fn data(&self) -> &[u8] {
        unsafe { core::slice::from_raw_parts(self.data, self.length.get() as usize) }
    }

    pub fn require_signer(&self) -> Result<()> {
        if self.is_signer { Ok(()) } else { Err(MISSING_SIGNATURE) }
    }

    pub fn require_key(&self, key: &Key) -> Result<()> {
        if self.key == key { Ok(()) } else { Err(WRONG_ADDRESS) }
    }

    /// Whether no program keeps anything here.
    pub fn is_unused(&self) -> bool {
        *self.owner() == SYSTEM && self.length.get() == 0
    }

    /// Whether the account is of a layout. Only this program makes such accounts, each at its own address.
    pub fn is<T: Layout>(&self, context: &Context) -> bool {
        self.owner() == context.program
            && self.length.get() as usize >= core::mem::size_of::<T>()
            && unsafe { *self.data } == T::KIND
    }

    /// The account as a layout. Its data may be changed through one such view at a time.
    #[allow(clippy::mut_from_ref)]
    pub fn state<T: Layout>(&self, context: &Context) -> Result<&'static mut T> {
        if !self.is::<T>(context) {
            return Err(WRONG_KIND);
        }
        // The loader aligns data to 8 bytes, and the layout has no invalid values.
        Ok(unsafe { &mut *(self.data as *mut T) })
    }

    /// What follows the head of the layout.
    #[allow(clippy::mut_from_ref)]
    pub fn after<T: Layout>(&self) -> &'static mut [u8] {
        let head = core::mem::size_of::<T>();
        let length = (self.length.get() as usize).saturating_sub(head);
        unsafe { core::slice::from_raw_parts_mut(self.data.add(head), length) }
    }

    /// Creates the account at the canonical address of its seeds, whatever lamports are there already, and writes the head of its layout.
    pub fn create<T: Layout>(&self, context: &Context, new: &New) -> Result<&'static mut T> {
        self.create_kind(context, new, T::KIND)?;
        self.state::<T>(context)
    }

    #[inline(never)]
    fn create_kind(&self, context: &Context, new: &New, kind: u8) -> Result<()> {
        let seeds = new.seeds.map(Seed::new);
        let (address, bump) = find_address(&seeds, context.program)?;
        self.require_key(&address)?;
        if !self.is_unused() {
            return Err(EXISTS);
        }
        let bump = [bump];
        let [first, second, third] = seeds;
        self.allot(context, new, &[first, second, third, Seed::new(&bump)])?;
        self.length.set(new.size as u64);
        unsafe {
            *self.data = kind;
            *self.data.add(1) = bump[0];
        }
        Ok(())
    }

    fn allot(&self, context: &Context, new: &New, seeds: &[Seed]) -> Result<()> {
        let needed = rent(new.size)?;
        let size = (new.size as u64).to_le_bytes();
        let have = self.lamports();
        let own = Meta { key: self.key, writable: true, signer: true };
        if have == 0 {
            let mut data = [0; 52];
            data[4..12].copy_from_slice(&needed.to_le_bytes());
            data[12..20].copy_from_slice(&size);
            data[20..52].copy_from_slice(context.program);
            let metas = [Meta { key: new.payer.key, writable: true, signer: true }, own];
            return invoke(context, &Call { program: &SYSTEM, metas: &metas, data: &data, seeds });
        }
        // Anyone can send lamports to an address before its account exists.
        if have < needed {
            self.fund(context, new.payer, needed - have)?;
        }
        let metas = [own];
        let mut data = [0; 12];
        data[0] = 8;
        data[4..12].copy_from_slice(&size);
        invoke(context, &Call { program: &SYSTEM, metas: &metas, data: &data, seeds })?;
        let mut data = [0; 36];
        data[0] = 1;
        data[4..36].copy_from_slice(context.program);
        invoke(context, &Call { program: &SYSTEM, metas: &metas, data: &data, seeds })
    }

    /// Sends lamports from a signer to the account.
    #[inline(never)]
    pub fn fund(&self, context: &Context, payer: &Account, lamports: u64) -> Result<()> {
        let mut data = [0; 12];
        data[0] = 2;
        data[4..12].copy_from_slice(&lamports.to_le_bytes());
        let metas =
            [Meta { key: payer.key, writable: true, signer: true }, Meta { key: self.key, writable: true, signer: false }];
        invoke(context, &Call { program: &SYSTEM, metas: &metas, data: &data, seeds: &[] })
    }

    /// Grows the account of this program to a size, paid by a signer. The new bytes are zeros.
    /// @returns what was paid.
    #[inline(never)]
    pub fn grow(&self, context: &Context, payer: &Account, size: usize) -> Result<u64> {
        let paid = rent(size)?.saturating_sub(self.lamports());
        if paid > 0 {
            self.fund(context, payer, paid)?;
        }
        self.length.set(size as u64);
        // The length that the machine reads stands before the data.
        unsafe { *(self.data.sub(8) as *mut u64) = size as u64 };
        Ok(paid)
    }

    /// Ends the account: all its lamports go to `rent_to`, its data is gone, and it belongs to the system again.
    #[inline(never)]
    pub fn close(&self, rent_to: &Account) -> Result<()> {
        if rent_to.key == self.key {
            return Err(WRONG_RENT_ADDRESS);
        }
        unsafe {
            let sum = (*rent_to.lamports).checked_add(*self.lamports).ok_or(OVERFLOW)?;
            *rent_to.lamports = sum;
            *self.lamports = 0;
            *(self.data.sub(8) as *mut u64) = 0;
            *self.owner = SYSTEM;
        }
        self.length.set(0);
        Ok(())
    }

    /// Moves lamports out of an account of this program.
    pub fn pay_out(&self, to: &Account, lamports: u64) -> Result<()> {
        unsafe {
            let left = (*self.lamports).checked_sub(lamports).ok_or(OVERFLOW)?;
            let sum = (*to.lamports).checked_add(lamports).ok_or(OVERFLOW)?;
            *self.lamports = left;
            *to.lamports = sum;
        }
        Ok(())
    }

    /// Closes the account to the one that paid its rent.
    pub fn close_to(&self, rent_to: &Account, key: &Key) -> Result<()> {
        if rent_to.key != key {
            return Err(WRONG_RENT_ADDRESS);
        }
        self.close(rent_to)
    }
}
