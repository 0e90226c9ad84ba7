//! The steps that parsers and printers of operations and of entries have in common. Everything else
//! that texts of both can have is written once, in terms of these.

use crate::helpers::number;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmParser, AsmPrinter, AsmResult, EntryParser, EntryPrinter, Place};
use rmlir_ir::{Attribute, Context, Identifier, Type};

/// The steps of a parser.
pub(crate) trait ReadSteps {
    fn context(&mut self) -> &mut Context;
    fn place(&self) -> Place;
    fn at(&self, token: &str) -> bool;
    fn eat(&mut self, token: &str) -> bool;
    fn expect(&mut self, token: &str) -> AsmResult<()>;
    fn optional_keyword(&mut self) -> Option<Identifier>;
    fn optional_string(&mut self) -> Option<Identifier>;
    fn attribute(&mut self) -> AsmResult<Attribute>;
    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute>;
    fn ty(&mut self) -> AsmResult<Type>;
    fn dimension_list(&mut self) -> AsmResult<Vec<i64>>;
    fn integer(&mut self) -> AsmResult<i64>;
    fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>>;
}

/// The steps of a printer.
pub(crate) trait WriteSteps {
    fn context(&mut self) -> &Context;
    fn text(&mut self, text: &str);
    fn string(&mut self, string: &[u8]);
    fn string_of(&mut self, string: Identifier);
    fn attribute(&mut self, attribute: Attribute);
    fn attribute_without_type(&mut self, attribute: Attribute);
    fn ty(&mut self, ty: Type);
}

/// The steps that parsers of both kinds have as methods of one name.
macro_rules! read_steps {
    ($parser:ident) => {
        fn context(&mut self) -> &mut Context {
            $parser::context(self)
        }
        fn place(&self) -> Place {
            $parser::place(self)
        }
        fn at(&self, token: &str) -> bool {
            $parser::at(self, token)
        }
        fn eat(&mut self, token: &str) -> bool {
            $parser::eat(self, token)
        }
        fn expect(&mut self, token: &str) -> AsmResult<()> {
            $parser::expect(self, token)
        }
        fn optional_keyword(&mut self) -> Option<Identifier> {
            $parser::optional_keyword(self)
        }
        fn optional_string(&mut self) -> Option<Identifier> {
            $parser::optional_string(self)
        }
        fn attribute(&mut self) -> AsmResult<Attribute> {
            $parser::attribute(self)
        }
        fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
            $parser::attribute_of_type(self, ty)
        }
        fn ty(&mut self) -> AsmResult<Type> {
            $parser::ty(self)
        }
        fn dimension_list(&mut self) -> AsmResult<Vec<i64>> {
            $parser::dimension_list(self)
        }
        fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>> {
            $parser::optional_big_integer(self)
        }
    };
}

/// The steps that printers of both kinds have as methods of one name.
macro_rules! write_steps {
    ($printer:ident) => {
        fn attribute(&mut self, attribute: Attribute) {
            $printer::attribute(self, attribute);
        }
        fn attribute_without_type(&mut self, attribute: Attribute) {
            $printer::attribute_without_type(self, attribute);
        }
        fn ty(&mut self, ty: Type) {
            $printer::ty(self, ty);
        }
    };
}

impl ReadSteps for dyn AsmParser + '_ {
    read_steps!(AsmParser);

    fn integer(&mut self) -> AsmResult<i64> {
        number(self)
    }
}

impl ReadSteps for dyn EntryParser + '_ {
    read_steps!(EntryParser);

    fn integer(&mut self) -> AsmResult<i64> {
        self.signed(i64::BITS)
    }
}

impl<'p> WriteSteps for dyn AsmPrinter<'p> + '_ {
    write_steps!(AsmPrinter);

    fn context(&mut self) -> &Context {
        AsmPrinter::context(self)
    }

    fn text(&mut self, text: &str) {
        AsmPrinter::text(self, text);
    }

    fn string(&mut self, string: &[u8]) {
        AsmPrinter::string(self, string);
    }

    fn string_of(&mut self, string: Identifier) {
        let string = AsmPrinter::context(self).bytes(string);
        AsmPrinter::string(self, string);
    }
}

impl WriteSteps for dyn EntryPrinter + '_ {
    write_steps!(EntryPrinter);

    fn context(&mut self) -> &Context {
        EntryPrinter::context(self)
    }

    fn text(&mut self, text: &str) {
        EntryPrinter::text(self, text.as_bytes());
    }

    fn string(&mut self, string: &[u8]) {
        let string = EntryPrinter::context(self).identifier(string);
        EntryPrinter::string(self, string);
    }

    fn string_of(&mut self, string: Identifier) {
        EntryPrinter::string(self, string);
    }
}
